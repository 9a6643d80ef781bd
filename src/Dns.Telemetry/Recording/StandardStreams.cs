namespace Dns.Telemetry.Recording;

/// <summary>
/// Standard output and standard error as files to append to, by their descriptors: opening <c>/dev/stdout</c>
/// fails if it is a socket or belongs to another user, as in containers, and would overwrite the log in a file.
/// </summary>
public static class StandardStreams
{
    private const string Output = "/dev/stdout", Errors = "/dev/stderr";

    /// <summary>What a pipe takes in one piece (PIPE_BUF of pipe(7)): lines of several writers do not mix.</summary>
    private const int PieceOctets = 4096;

    public static bool IsOne(string path) => !OperatingSystem.IsWindows() && path is Output or Errors;

    /// <summary>The stream of a path; closing it closes nothing.</summary>
    public static Stream Open(string path) =>
        path == Errors ? Console.OpenStandardError() : Console.OpenStandardOutput();

    /// <summary>Writes lines, each in one piece as far as it fits, as many as fit at once.</summary>
    public static void WriteLines(Stream stream, ReadOnlySpan<byte> lines)
    {
        while (!lines.IsEmpty)
        {
            int length = lines.Length;
            if (length > PieceOctets)
            {
                int end = lines[..PieceOctets].LastIndexOf((byte)'\n');
                if (end < 0) end = lines.IndexOf((byte)'\n');
                length = end < 0 ? lines.Length : end + 1;
            }
            stream.Write(lines[..length]);
            lines = lines[length..];
        }
        stream.Flush();
    }
}
