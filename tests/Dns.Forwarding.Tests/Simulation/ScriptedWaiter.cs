using System.Net;
using Dns.Testing;

namespace Dns.Forwarding.Tests;

/// <summary>A waiting client, and its answer.</summary>
internal sealed class ScriptedWaiter(VirtualClock clock) : IAnswerWaiter
{
    private readonly TimeSpan _askedAt = clock.Elapsed;

    /// <summary>Number of answers.</summary>
    public int Times { get; private set; }

    /// <summary>The last answer.</summary>
    public RelayedAnswer Answer { get; private set; }

    /// <summary>The records.</summary>
    public byte[] Records { get; private set; } = [];

    /// <summary>Whom the question was sent to.</summary>
    public TryReport[] Tries { get; private set; } = [];

    /// <summary>How long it waited, in milliseconds.</summary>
    public double WaitedMs { get; private set; }

    public bool IsProven { get; init; } = true;

    /// <summary>The query as it was received.</summary>
    public byte[] Received { get; init; } = [];

    /// <summary>Called with the answer.</summary>
    public Action? Told { get; init; }

    /// <summary>The RDATA of the last record, if it is an address; else the code.</summary>
    public string Result => Times == 0 ? "nothing"
        : Answer.Rcode == Rcode.NoError && Answer.AnswerCount > 0 ? new IPAddress(Records[^4..]).ToString()
        : Answer.Error is { } error ? $"{RcodeText.Format(Answer.Rcode)} {(int)error}" : RcodeText.Format(Answer.Rcode);

    public bool Matches(ushort id, ReadOnlySpan<byte> question) =>
        Received.Length > MessageHeader.LengthOctets && MessageHeader.Id(Received) == id
        && Received.AsSpan(MessageHeader.LengthOctets).StartsWith(question);

    public void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries)
    {
        Times++;
        Answer = answer;
        Records = records.ToArray();
        Tries = tries.ToArray();
        WaitedMs = (clock.Elapsed - _askedAt).TotalMilliseconds;
        Told?.Invoke();
    }
}
