using Microsoft.Win32.SafeHandles;

namespace Dns.Zones;

/// <summary>Opens master files, and says in a few words why one cannot be opened.</summary>
internal static class MasterFileHandle
{
    /// <summary>What is wrong with a file that has no size, to stand behind its name.</summary>
    public const string WithoutSize = "it is empty, or a pipe or a device and not a regular file";

    /// <summary>Opens a file for reading; others may go on to write or replace it.</summary>
    /// <param name="file">The file.</param>
    /// <param name="allowsPipe">
    /// Whether it may be something without a size, a pipe or a device: to open or read that may take for ever.
    /// </param>
    /// <exception cref="IOException">The file cannot be opened, or is empty or without a size.</exception>
    /// <exception cref="UnauthorizedAccessException">The file must not be read, or is a directory.</exception>
    public static SafeFileHandle Open(string file, bool allowsPipe)
    {
        if (!allowsPipe && IsWithoutSize(file))
            throw new IOException(WithoutSize);
        return File.OpenHandle(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
    }

    /// <summary>The kind of a file is not told; but what is not regular has the size 0, as what is empty has.</summary>
    public static bool IsWithoutSize(string file)
    {
        FileInfo? found = new(file);
        if (found.Exists && (found.Attributes & FileAttributes.ReparsePoint) != 0)
            found = found.ResolveLinkTarget(returnFinalTarget: true) as FileInfo;
        return found is { Exists: true, Length: 0 };
    }

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
