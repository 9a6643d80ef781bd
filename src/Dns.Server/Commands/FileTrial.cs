using Microsoft.Extensions.Configuration;

namespace Dns.Server.Commands;

/// <summary>Whether this user can write the files of the log; leaves nothing behind.</summary>
internal static class FileTrial
{
    /// <summary>The sinks of the log, with those whose files cannot be written.</summary>
    public static LogSinks SinksOf(IConfiguration settings) => LogSinks.Of(
        settings,
        // The name of a rolling file has a time, which is that of its first line.
        (path, isRolling) => isRolling ? FindDirectoryFault(path) : WriteTrial.FindFault(path));

    private static string? FindDirectoryFault(string path) =>
        WriteTrial.FindDirectoryFault(Path.GetDirectoryName(Path.GetFullPath(path)));
}
