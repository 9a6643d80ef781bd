using System.CommandLine;

namespace Dns.Commands;

/// <summary><c>dnsd service install|uninstall|status</c>: the server as a service of the system.</summary>
internal static class ServiceCommand
{
    /// <summary>Creates the command.</summary>
    /// <param name="services">The service manager; null = unsupported.</param>
    public static Command Create(IServiceRegistration? services)
    {
        Command uninstall = new("uninstall", "Stops the service and removes it. Settings and zones stay.");
        uninstall.SetAction(result => With(services, result, known => known.Uninstall(
            result.InvocationConfiguration.Output, result.InvocationConfiguration.Error)));
        Command status = new("status", "Says how the service is: 0 when it runs.");
        status.SetAction(result => With(services, result, known => known.Status(
            result.InvocationConfiguration.Output, result.InvocationConfiguration.Error)));
        Command settings = new("settings", "Prints the settings that a service starts with where there are none.");
        settings.SetAction(result => result.InvocationConfiguration.Output.Write(ServiceSettings.Text));
        return new Command("service", "Installs the server as a service of the system, or removes it.")
        {
            CreateInstall(services), uninstall, status, settings,
        };
    }

    /// <summary>The service manager of this machine.</summary>
    public static IServiceRegistration? OfThisMachine() =>
        OperatingSystem.IsLinux() ? SystemdService.OfThisMachine
        : OperatingSystem.IsWindows() ? new WindowsServiceRegistration(TimeProvider.System)
        : null;

    private static Command CreateInstall(IServiceRegistration? services)
    {
        Option<string> config = new("--config", "-c")
        {
            Description = "The settings file of the service; made when it is missing.",
            HelpName = "FILE",
            DefaultValueFactory = _ => ServiceSettings.File,
        };
        Option<string?> user =
            new("--user") { Description = "The account to run as. Without it: one of its own.", HelpName = "NAME" };
        Option<string?> program =
            new("--program") { Description = "The program to run. Without it: this one.", HelpName = "FILE" };
        Option<bool> dryRun = new("--dry-run") { Description = "Print what would be written, change nothing." };
        Command command =
            new("install", "Makes it start with the system, and starts it.") { config, user, program, dryRun };
        command.SetAction(result => With(services, result, known =>
        {
            TextWriter output = result.InvocationConfiguration.Output, errors = result.InvocationConfiguration.Error;
            string file = result.GetValue(program) ?? Environment.ProcessPath ?? "";
            if (Path.GetFileNameWithoutExtension(file).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
            {
                errors
                    .WriteLine("dnsd: error: a service is installed by the published program dnsd, or with --program");
                return ExitCode.Bad;
            }
            ServiceDefinition service = new(
                Path.GetFullPath(file), Path.GetFullPath(result.GetRequiredValue(config)), result.GetValue(user))
            {
                WriteSettings = ServiceSettings.WriteIfMissing,
            };
            return result.GetValue(dryRun) ? known.Show(service, output) : known.Install(service, output, errors);
        }));
        return command;
    }

    private static int With(IServiceRegistration? services, ParseResult result, Func<IServiceRegistration, int> action)
    {
        if (services is not null) return action(services);
        result.InvocationConfiguration.Error.WriteLine(
            "dnsd: error: the service manager of this system is not known; have it run \"dnsd run\"");
        return ExitCode.Bad;
    }
}
