namespace Dns.Server;

/// <summary>Keeps a file that is to be replaced from being somebody else's, whose path was given by mistake.</summary>
internal static class OwnFile
{
    /// <summary>Whether a file may be replaced: there is none, it is empty, or it begins as ours do.</summary>
    /// <param name="path">The file.</param>
    /// <param name="beginning">The first octets of ours.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static bool MayBeReplaced(string path, ReadOnlySpan<byte> beginning)
    {
        // What has no length, such as a pipe or a device, is not opened: that could wait.
        FileInfo file = new(path);
        if (!file.Exists || file.Length == 0) return true;
        using FileStream stream = file.OpenRead();
        byte[] first = new byte[beginning.Length];
        return stream.ReadAtLeast(first, first.Length, throwOnEndOfStream: false) == first.Length && beginning.SequenceEqual(first);
    }
}
