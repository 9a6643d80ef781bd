using System.CommandLine;

namespace Dns.Server;

/// <summary><c>dnsd keys</c>: the keys of signed zones.</summary>
internal static class KeysCommand
{
    /// <summary>Makes the group; each command has a file of its own.</summary>
    public static Command Create() => new("keys", "Makes, shows, takes and gives the keys of signed zones.")
    {
        KeysGenerateCommand.Create(), KeysDsCommand.Create(), KeysImportCommand.Create(), KeysExportCommand.Create(),
    };
}
