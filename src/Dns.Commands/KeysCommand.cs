namespace Dns.Commands;

/// <summary><c>dnsd keys</c>: the keys of signed zones.</summary>
internal static class KeysCommand
{
    /// <summary>Creates the group; each command has its own file.</summary>
    public static Command Create()
    {
        Command keys = new("keys", "Makes, shows, takes and gives the keys of signed zones, and has them roll over.")
        {
            KeysGenerateCommand.Create(), KeysDsCommand.Create(), KeysImportCommand.Create(),
            KeysExportCommand.Create(),
        };
        foreach (Command command in KeysStateCommands.Create()) keys.Add(command);
        foreach (Command command in KeysBundleCommands.Create()) keys.Add(command);
        return keys;
    }
}
