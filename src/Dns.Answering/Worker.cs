namespace Dns.Answering;

/// <summary>
/// What one thread keeps from query to query: a number to count under, answers that were encoded before, and room for records
/// from elsewhere. Looked for once a batch, and handed on in the <see cref="QueryContext"/>.
/// </summary>
internal sealed class Worker
{
    [ThreadStatic]
    private static Worker? _ofThread;

    private Worker()
    {
    }

    /// <summary>That of the thread that asks.</summary>
    internal static Worker OfThread => _ofThread ??= new Worker();

    /// <summary>The thread's number.</summary>
    internal int Stripe { get; } = ThreadStripe.Assign();

    /// <summary>Answers of this thread that were encoded before; made at first use.</summary>
    internal ReadyAnswers Ready => field ??= new ReadyAnswers();

    /// <summary>Proofs of denial that wait for the authority section; made at first use.</summary>
    internal PendingProofs Proofs => field ??= new PendingProofs();

    /// <summary>Room for a whole message, before it is joined to the reply; made at first use.</summary>
    internal byte[] Message => field ??= new byte[ushort.MaxValue];

    /// <summary>Room for any RDATA, uncompressed; made at first use.</summary>
    internal byte[] Rdata => field ??= new byte[Protocol.Rdata.MaxOctets];
}
