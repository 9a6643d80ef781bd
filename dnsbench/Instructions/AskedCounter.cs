using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// Has the starting process count the steps: a line on standard output asks it to, a line on standard input says that
/// it does, a signal ends it, and the next line has the count.
/// </summary>
internal sealed class AskedCounter(TextWriter output, TextReader input) : IInstructionCounter
{
    /// <summary>The line that asks.</summary>
    internal const string Request = "?";

    public long Count(Action action)
    {
        output.WriteLine(Request);
        output.Flush();
        Read();
        action();
        SteppedThread.End();
        return Read();
    }

    private long Read() =>
        long.Parse(input.ReadLine() ?? throw new IOException("the process that counts has ended"),
            CultureInfo.InvariantCulture);
}
