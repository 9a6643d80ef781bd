namespace Dns.Hosting;

/// <summary>What a service manager is to be told of the server.</summary>
/// <param name="Program">The program, as an absolute path.</param>
/// <param name="Config">The settings file, as an absolute path.</param>
/// <param name="User">The account that it runs as; null = the least one that the manager has.</param>
internal sealed record ServiceDefinition(string Program, string Config, string? User)
{
    /// <summary>The name of the service.</summary>
    public const string Name = "dnsd";

    /// <summary>What people read in a list of services.</summary>
    public const string Description = "DNS server dnsd";

    /// <summary>Writes the settings file where there is none, and says so.</summary>
    public required Action<string, TextWriter> WriteSettings { get; init; }
}

/// <summary>A service manager. Each command returns the exit code and says on the writers what it did.</summary>
internal interface IServiceRegistration
{
    /// <summary>Makes the service known, has it start with the machine, and starts it.</summary>
    int Install(ServiceDefinition service, TextWriter output, TextWriter errors);

    /// <summary>Shows what <see cref="Install"/> would write; changes nothing.</summary>
    int Show(ServiceDefinition service, TextWriter output);

    /// <summary>Stops the service and removes it; settings and zones stay.</summary>
    int Uninstall(TextWriter output, TextWriter errors);

    /// <summary>Says how the service is: good when it runs, bad when not.</summary>
    int Status(TextWriter output, TextWriter errors);
}
