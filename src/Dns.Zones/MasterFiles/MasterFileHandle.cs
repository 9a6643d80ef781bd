using Microsoft.Win32.SafeHandles;

namespace Dns.Zones;

/// <summary>Opens master files, and says in a few words why one cannot be opened.</summary>
internal static class MasterFileHandle
{
    /// <summary>Opens a file for reading; others may go on to write or replace it.</summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">The file must not be read, or is a directory.</exception>
    public static SafeFileHandle Open(string file) =>
        File.OpenHandle(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Whether an exception means that a file cannot be opened or read.</summary>
    public static bool IsFailure(Exception exception) =>
        exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;

    /// <summary>Why <paramref name="file"/> cannot be read, to stand behind its name.</summary>
    public static string Describe(Exception exception, string file) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => "there is no such file",
        _ when Directory.Exists(file) => "it is a directory",
        UnauthorizedAccessException => "permission denied",
        _ => exception.Message,
    };
}
