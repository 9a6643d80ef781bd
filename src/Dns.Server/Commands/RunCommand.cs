using System.CommandLine;

namespace Dns.Server;

/// <summary><c>dnsd run</c>: serves until it is told to stop.</summary>
internal static class RunCommand
{
    /// <summary>Makes the verb.</summary>
    public static Command Create(IReadOnlyList<string> overrides)
    {
        Command command = new("run", "Serves zones. The verb may be left out.");
        AddTo(command, overrides);
        return command;
    }

    /// <summary>Gives a command the options and the action of this verb.</summary>
    public static void AddTo(Command command, IReadOnlyList<string> overrides)
    {
        SettingsOptions settings = new(overrides);
        Option<bool> strict = new("--strict") { Description = "Do not start when a zone is broken." };
        settings.AddTo(command, canReplace: true);
        command.Add(strict);
        command.SetAction((result, _) => DnsServer.RunAsync(
            settings.Read(result), result.GetValue(strict), result.InvocationConfiguration.Error));
    }
}
