using System.Diagnostics;

namespace Dns.Hosting.Services;

/// <summary>The server as a service of systemd.</summary>
/// <param name="root">Replaces <c>/</c> in tests.</param>
/// <param name="systemctl">Runs systemctl: maps its arguments to exit code and output.</param>
internal sealed class SystemdService(string root,
    Func<string[], (int ExitCode, string Output)> systemctl) : IServiceRegistration
{
    private const string Unit = ServiceDefinition.Name + ".service", SocketUnit = ServiceDefinition.Name + ".socket";
    private static readonly string[] HiddenFolders = ["/home/", "/root/", "/run/user/", "/tmp/"];

    public static SystemdService OfThisMachine { get; } = new("/", RunSystemctl);

    private string UnitFile => Path.Combine(root, "etc/systemd/system", Unit);

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
            service.WriteSettings(Path.Combine(root, service.Config.TrimStart('/')), output);
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
        var (exitCode, text) = systemctl(
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
        return service.User is { } user && !user.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-' or '.')
            ? $"\"{user}\" is not the name of a user" : null;
    }

    private static bool IsOurs(string file) => File.ReadLines(file).FirstOrDefault() == SystemdUnit.Mark;

    private bool Disable(string unit, TextWriter errors) =>
        Run(errors, IsRunning ? ["disable", "--now", unit] : ["disable", unit]);

    private bool Run(TextWriter errors, params string[] arguments)
    {
        var (exitCode, text) = systemctl(arguments);
        if (exitCode != 0)
            errors.WriteLine(
                $"dnsd: error: systemctl {string.Join(' ', arguments)}: {text.Trim().ReplaceLineEndings(" ")}");
        return exitCode == 0;
    }

    private static (int ExitCode, string Output) RunSystemctl(string[] arguments)
    {
        try
        {
            // Its output is short, so the streams are read one after the other.
            ProcessStartInfo start =
                new("systemctl", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
            using Process process = Process.Start(start)!;
            string text = process.StandardOutput.ReadToEnd() + process.StandardError.ReadToEnd();
            process.WaitForExit();
            return (process.ExitCode, text);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return (-1, "it is not installed; this system does not use systemd");
        }
    }
}
