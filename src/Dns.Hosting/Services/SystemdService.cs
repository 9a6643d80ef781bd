namespace Dns.Hosting.Services;

/// <summary>The server as a service of systemd.</summary>
/// <param name="root">Replaces <c>/</c> in tests.</param>
/// <param name="run">Runs a program: maps its name and arguments to exit code and output.</param>
public sealed class SystemdService(string root,
    Func<string, string[], (int ExitCode, string Output)> run) : IServiceRegistration
{
    private const string Unit = ServiceDefinition.Name + ".service", SocketUnit = ServiceDefinition.Name + ".socket";
    private static readonly string[] HiddenFolders = ["/home/", "/root/", "/run/user/", "/tmp/"];

    public static SystemdService OfThisMachine { get; } = new("/", ExternalProgram.Run);

    private string UnitFile => Path.Combine(root, "etc/systemd/system", Unit);

    /// <summary>Declares user and group of the service.</summary>
    private string AccountFile => Path.Combine(root, "etc/sysusers.d", ServiceDefinition.Name + ".conf");

    /// <summary>The directory of the settings that are the service's alone.</summary>
    private string SettingsFolder => Path.Combine(root, "etc", ServiceDefinition.Name);

    /// <summary>Whether systemd is running, sd_booted(3); otherwise files only await the next boot.</summary>
    private bool IsRunning => Directory.Exists(Path.Combine(root, "run/systemd/system"));

    public int Install(ServiceDefinition service, TextWriter output, TextWriter errors)
    {
        if (FindConflict(service) is { } conflict)
        {
            errors.WriteLine("dnsd: error: " + conflict);
            return ExitCode.Bad;
        }
        try
        {
            if (service.User is null && !TryMakeAccount(output, errors)) return ExitCode.Bad;
            string settings = Path.Combine(root, service.Config.TrimStart('/'));
            service.WriteSettings(settings, output);
            if (service.User is null && !TryGiveSettings(service, settings, output, errors)) return ExitCode.Bad;
            Directory.CreateDirectory(Path.GetDirectoryName(UnitFile)!);
            File.WriteAllText(UnitFile, SystemdUnit.Text(service).ReplaceLineEndings("\n"));
            output.WriteLine($"wrote {UnitFile}");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            errors.WriteLine($"dnsd: error: {error.Message.ReplaceLineEndings(" ")} (installing a service needs root)");
            return ExitCode.Bad;
        }
        if (!IsRunning)
        {
            output.WriteLine("systemd does not run here: enabled for the next start of the machine");
            return Run(errors, "enable", Unit) ? ExitCode.Good : ExitCode.Bad;
        }
        // An existing unit is restarted with the changes.
        if (!Run(errors, "daemon-reload") || !Run(errors, "enable", Unit) || !Run(errors, "restart", Unit))
            return ExitCode.Bad;
        output.WriteLine(
            $"{ServiceDefinition.Name} is installed and runs; its log: journalctl -u {ServiceDefinition.Name}");
        return ExitCode.Good;
    }

    public int Show(ServiceDefinition service, TextWriter output)
    {
        output.Write(SystemdUnit.Text(service));
        return ExitCode.Good;
    }

    public int Uninstall(TextWriter output, TextWriter errors)
    {
        if (!File.Exists(UnitFile) || !IsOurs(UnitFile))
        {
            errors.WriteLine($"dnsd: error: {UnitFile} was not written by \"dnsd service install\"");
            return ExitCode.Bad;
        }
        // A leftover socket unit of the administrator would start a removed service.
        if (File.Exists(Path.Combine(root, "etc/systemd/system", SocketUnit)) && !Disable(SocketUnit, errors))
            return ExitCode.Bad;
        if (!Disable(Unit, errors)) return ExitCode.Bad;
        try
        {
            File.Delete(UnitFile);
            File.Delete(AccountFile);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            errors.WriteLine($"dnsd: error: {error.Message.ReplaceLineEndings(" ")}");
            return ExitCode.Bad;
        }
        output.WriteLine($"removed {UnitFile}; settings and zones stay");
        return !IsRunning || Run(errors, "daemon-reload") ? ExitCode.Good : ExitCode.Bad;
    }

    public int Status(TextWriter output, TextWriter errors)
    {
        var (exitCode, text) = run("systemctl",
            ["show", Unit, "--property=LoadState,UnitFileState,ActiveState,SubState,MainPID,StatusText,Result"]);
        if (exitCode != 0)
        {
            errors.WriteLine("dnsd: error: systemctl: " + text.Trim().ReplaceLineEndings(" "));
            return ExitCode.Bad;
        }
        Dictionary<string, string> state = text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split('=', 2)).Where(pair => pair.Length == 2)
            .ToDictionary(pair => pair[0], pair => pair[1]);
        string Of(string key) => state.GetValueOrDefault(key, "");
        if (Of("LoadState") is "not-found" or "")
        {
            output.WriteLine($"{ServiceDefinition.Name} is not installed as a service");
            return ExitCode.Bad;
        }
        output.WriteLine($"{ServiceDefinition.Name} is {Of("ActiveState")} ({Of("SubState")}), {Of("UnitFileState")}");
        if (Of("MainPID") is not ("" or "0")) output.WriteLine("process " + Of("MainPID"));
        if (Of("StatusText").Length > 0) output.WriteLine(Of("StatusText"));
        if (Of("Result") is not ("" or "success"))
            output.WriteLine($"last result: {Of("Result")}; journalctl -u {ServiceDefinition.Name}");
        return Of("ActiveState") is "active" or "reloading" ? ExitCode.Good : ExitCode.Bad;
    }

    private string? FindConflict(ServiceDefinition service)
    {
        if (File.Exists(UnitFile) && !IsOurs(UnitFile))
            return $"{UnitFile} is there and was not written by \"dnsd service install\"";
        foreach (string path in new[] { service.Program, service.Config })
            if (Array.Exists(HiddenFolders, folder => path.StartsWith(folder, StringComparison.Ordinal)))
                return $"{path} is in a folder that the service cannot see; copy it, for example to /opt/dnsd";
        return service.User is { } user ? FindUserConflict(user) : null;
    }

    /// <summary>Without its user the unit fails at each start. A number needs no name.</summary>
    private string? FindUserConflict(string user)
    {
        if (user.Length == 0 || user[0] == '-'
            || !user.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-' or '.'))
            return $"\"{user}\" is not the name of a user";
        // A missing program says nothing of the user.
        return user.All(char.IsAsciiDigit) || run("id", ["-u", user]).ExitCode is 0 or -1 ? null
            : $"there is no user {user}: \"useradd --system --user-group {user}\" makes it";
    }

    private static bool IsOurs(string file) => File.ReadLines(file).FirstOrDefault() == SystemdUnit.Mark;

    private bool Disable(string unit, TextWriter errors) =>
        Run(errors, IsRunning ? ["disable", "--now", unit] : ["disable", unit]);

    private bool TryMakeAccount(TextWriter output, TextWriter errors)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(AccountFile)!);
        File.WriteAllText(AccountFile, SystemdUnit.AccountText.ReplaceLineEndings("\n"));
        output.WriteLine($"wrote {AccountFile}: user and group {SystemdUnit.Account}");
        if (TryRun(errors, "systemd-sysusers", AccountFile)) return true;
        errors.WriteLine($"dnsd: error: without it: \"useradd --system --user-group {SystemdUnit.Account}\", then "
            + $"\"dnsd service install --user {SystemdUnit.Account}\"");
        return false;
    }

    /// <summary>
    /// Gives settings and zones the group of the service, so that mode 0640 is enough for secrets, also in files that
    /// are made later. Only what has group root, and only once: later changes are the operator's.
    /// </summary>
    private bool TryGiveSettings(ServiceDefinition service, string file, TextWriter output, TextWriter errors)
    {
        if (OperatingSystem.IsWindows() || HasGivenSettings(service)) return true;
        if (Path.GetDirectoryName(file) != SettingsFolder)
        {
            output.WriteLine($"{service.Config}: user {SystemdUnit.Account} of the service has to be able to read it");
            return true;
        }
        string zones = Path.Combine(SettingsFolder, "zones");
        string[] folders = Directory.Exists(zones) ? [SettingsFolder, zones] : [SettingsFolder];
        if (!TryRun(errors, "chown", ["--from=:root", ":" + SystemdUnit.Account, .. folders, file])) return false;
        foreach (string folder in folders)
            File.SetUnixFileMode(folder, File.GetUnixFileMode(folder) | UnixFileMode.SetGroup);
        return true;
    }

    /// <summary>Whether the unit that is there has the same user and settings.</summary>
    private bool HasGivenSettings(ServiceDefinition service)
    {
        if (!File.Exists(UnitFile)) return false;
        string[] unit = File.ReadAllLines(UnitFile);
        return unit.Contains("User=" + SystemdUnit.Account) && unit.Contains(SystemdUnit.StartLine(service));
    }

    private bool Run(TextWriter errors, params string[] arguments) => TryRun(errors, "systemctl", arguments);

    private bool TryRun(TextWriter errors, string program, params string[] arguments)
    {
        var (exitCode, text) = run(program, arguments);
        if (exitCode != 0)
            errors.WriteLine(
                $"dnsd: error: {program} {string.Join(' ', arguments)}: {text.Trim().ReplaceLineEndings(" ")}");
        return exitCode == 0;
    }
}
