namespace Dns.Hosting.Services;

/// <summary>The definition of the service for a service manager.</summary>
/// <param name="Program">The program, as an absolute path.</param>
/// <param name="Config">The settings file, as an absolute path.</param>
/// <param name="User">Its account; null = the least privileged one of the manager.</param>
public sealed record ServiceDefinition(string Program, string Config, string? User)
{
    public const string Name = "dnsd";

    /// <summary>The description in lists of services.</summary>
    public const string Description = "DNS server dnsd";

    /// <summary>Writes the settings file where there is none, and says so.</summary>
    public required Action<string, TextWriter> WriteSettings { get; init; }
}

/// <summary>A service manager. Each command returns the exit code and reports to the writers.</summary>
public interface IServiceRegistration
{
    /// <summary>Registers the service, enables it at boot, and starts it.</summary>
    int Install(ServiceDefinition service, TextWriter output, TextWriter errors);

    /// <summary>Shows what <see cref="Install"/> would write; changes nothing.</summary>
    int Show(ServiceDefinition service, TextWriter output);

    /// <summary>Stops the service and removes it; settings and zones stay.</summary>
    int Uninstall(TextWriter output, TextWriter errors);

    /// <summary>Reports the state of the service: success if it is running.</summary>
    int Status(TextWriter output, TextWriter errors);
}
