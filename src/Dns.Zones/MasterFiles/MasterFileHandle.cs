using Microsoft.Win32.SafeHandles;

namespace Dns.Zones.MasterFiles;

/// <summary>Opens master files, and explains failures.</summary>
internal static class MasterFileHandle
{
    /// <summary>The error for a file without a size, after its name.</summary>
    public const string WithoutSize = "it is empty, or a pipe or a device and not a regular file";

    /// <summary>Opens a file for reading; others may write or replace it.</summary>
    /// <param name="allowsPipe">Whether a pipe or a device is accepted: opening or reading may block forever.</param>
    /// <param name="isSymlink">Whether a symlink led to it; false with <paramref name="allowsPipe"/>.</param>
    /// <exception cref="IOException">The file cannot be opened, is empty or has no size.</exception>
    /// <exception cref="UnauthorizedAccessException">Permission denied, or a directory.</exception>
    public static SafeFileHandle Open(string file, bool allowsPipe, out bool isSymlink)
    {
        isSymlink = false;
        if (allowsPipe)
            return File.OpenHandle(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return IsWithoutSize(file) ? throw new IOException(WithoutSize) : RegularFile.OpenToRead(file, out isSymlink);
    }

    /// <summary>Whether not all users may read an open file; that of a directory around it is not known.</summary>
    public static bool IsPrivate(SafeFileHandle file) =>
        !OperatingSystem.IsWindows() && (File.GetUnixFileMode(file) & UnixFileMode.OtherRead) == 0;

    /// <summary>Pipes and devices have size 0, like an empty file; .NET does not report the kind of a file.</summary>
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

    /// <summary>Why <paramref name="file"/> cannot be read, for a message after its name.</summary>
    public static string Describe(Exception exception, string file) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => "there is no such file",
        _ when Directory.Exists(file) => "it is a directory",
        UnauthorizedAccessException => "permission denied",
        _ => exception.Message,
    };
}
