using System.CommandLine;
using System.Runtime.Versioning;

namespace Dns.Server.Commands;

/// <summary><c>dnsd run</c>: runs the server.</summary>
internal static class RunCommand
{
    public static Command Create(IReadOnlyList<string> overrides)
    {
        Command command = new("run", "Serves zones. The word run may be left out.");
        AddTo(command, overrides);
        return command;
    }

    /// <summary>Adds the options and the action of this command to another.</summary>
    public static void AddTo(Command command, IReadOnlyList<string> overrides)
    {
        SettingsOptions settings = new(overrides);
        Option<bool> strict = new("--strict") { Description = "Do not start when a zone is broken." };
        settings.AddTo(command);
        command.Add(strict);
        Option<bool> takeover = new("--takeover")
        {
            Description =
                "Replace the running server with the same first address: take its sockets, then have it stop. Linux " +
                    "only.",
        };
        command.Add(takeover);
        // Only for starts by the service control manager.
        Option<bool> asService = new("--windows-service") { Hidden = true };
        command.Add(asService);
        command.SetAction((result, _) =>
        {
            SocketCompletions.RunInline();
            SettingsArguments arguments = settings.Read(result) with { TakesOver = result.GetValue(takeover) };
            bool isStrict = result.GetValue(strict);
            TextWriter errors = result.InvocationConfiguration.Error;
            return OperatingSystem.IsWindows() && result.GetValue(asService)
                ? Task.FromResult(RunAsService(arguments, isStrict, errors))
                : DnsServer.RunAsync(arguments, isStrict, errors);
        });
    }

    /// <summary>Runs the server below the service control manager; start failures go to the event log.</summary>
    [SupportedOSPlatform("windows")]
    private static int RunAsService(SettingsArguments arguments, bool isStrict, TextWriter errors) =>
        WindowsService.Run(
        () =>
        {
            StringWriter reasons = new();
            int exitCode = DnsServer.RunAsync(arguments, isStrict, reasons).GetAwaiter().GetResult();
            if (exitCode != ExitCode.Good)
                EventLogSink.WriteError("The server has not started." + Environment.NewLine + reasons);
            return exitCode;
        },
        errors);
}
