namespace Dns.Telemetry.Recording;

/// <summary>Recognizes a query log, since lines must not be appended to any other file.</summary>
public static class QueryLogFile
{
    private const int PartOctets = 16 * 1024;
    private const string TimePattern = "0000-00-00T00:00:00.000000Z ";

    /// <summary>
    /// Why a file is not appended to: it has text, and no line of a query log at its beginning or end. Null if it may
    /// be; one may have been emptied or cut, and pipes and devices are empty.
    /// </summary>
    public static string? FindFault(string path)
    {
        try
        {
            // A symlink has a length of its own, and is not followed by who appends.
            FileInfo found = new(path);
            if (ExclusiveFile.IsOfSystem(path) || found is not { Exists: true, LinkTarget: null, Length: > 0 })
                return null;
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            byte[] part = new byte[PartOctets];
            bool hasText = false;
            foreach (long from in (long[])[0, Math.Max(0, found.Length - PartOctets)])
            {
                file.Seek(from, SeekOrigin.Begin);
                ReadOnlySpan<byte> read = part.AsSpan(0, file.ReadAtLeast(part, PartOctets, throwOnEndOfStream: false));
                foreach (Range range in read.Split((byte)'\n'))
                    if (IsLine(read[range].TrimStart((byte)0))) return null;
                hasText |= read.ContainsAnyExcept(" \t\r\n\0"u8);
            }
            return hasText ? "it is there and has no line of a query log, expected a file of its own" : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It may be one that this user can only append to.
            return null;
        }
    }

    private static bool IsLine(ReadOnlySpan<byte> line)
    {
        if (line.StartsWith("{\"time\":\""u8)) return true;
        if (line.Length < TimePattern.Length) return false;
        for (int i = 0; i < TimePattern.Length; i++)
            if (TimePattern[i] == '0' ? !char.IsAsciiDigit((char)line[i]) : line[i] != TimePattern[i]) return false;
        return true;
    }
}
