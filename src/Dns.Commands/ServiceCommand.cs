namespace Dns.Commands;

/// <summary><c>dnsd service install|uninstall|status</c>: the server as a service of the system.</summary>
internal static class ServiceCommand
{
    /// <param name="services">The service manager; null = unsupported.</param>
    public static Command Create(IServiceRegistration? services)
    {
        Command uninstall = new("uninstall", "Stops the service and removes it. Settings and zones stay.");
        uninstall.SetAction(result => With(services, result, known => known.Uninstall(
            result.InvocationConfiguration.Output, result.InvocationConfiguration.Error)));
        Command status = new("status", "Shows the status of the service; exit code 0 if it runs.");
        status.SetAction(result => With(services, result, known => known.Status(
            result.InvocationConfiguration.Output, result.InvocationConfiguration.Error)));
        Command settings = new("settings", "Prints the initial settings of a new service.");
        settings.SetAction(result => result.InvocationConfiguration.Output.Write(ServiceSettings.Text));
        return new Command("service", "Installs the server as a service of the system, or removes it.")
        {
            CreateInstall(services), uninstall, status, settings,
        };
    }

    public static IServiceRegistration? OfThisMachine() =>
        OperatingSystem.IsLinux() ? SystemdService.OfThisMachine
        : OperatingSystem.IsWindows() ? new WindowsServiceRegistration()
        : null;

    private static Command CreateInstall(IServiceRegistration? services)
    {
        Option<string> config = new("--config", "-c")
        {
            Description = "The settings file of the service; created if it is missing.",
            HelpName = "FILE",
            DefaultValueFactory = _ => ServiceSettings.File,
        };
        Option<string?> user =
            new("--user") { Description = "The account to run as. Default: a separate account.", HelpName = "NAME" };
        Option<string?> program =
            new("--program") { Description = "The program to run. Default: this program.", HelpName = "FILE" };
        Option<bool> dryRun = new("--dry-run") { Description = "Print what would be written, and change nothing." };
        Command command =
            new("install", "Installs the service, to start now and at boot.") { config, user, program, dryRun };
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
            "dnsd: error: the service manager of this system is not supported: configure it to run \"dnsd run\"");
        return ExitCode.Bad;
    }
}
