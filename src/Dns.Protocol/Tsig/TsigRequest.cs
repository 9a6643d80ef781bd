namespace Dns.Protocol.Tsig;

/// <summary>A request's TSIG state at the server (RFC 8945 §5.2), for every transport and opcode.</summary>
public readonly struct TsigRequest : IDisposable
{
    // 16 is BADSIG in a TSIG record, and BADVERS elsewhere.
    private const Rcode BadSig = Rcode.BadVers;

    private readonly TsigVerdict _verdict;

    private TsigRequest(TsigVerdict verdict, TsigChain? chain, int offset) =>
        (_verdict, Chain, Offset) = (verdict, chain, offset);

    /// <summary>Signs the replies; null if unsigned or not signable. Disposed with this, or by its new owner.</summary>
    public TsigChain? Chain { get; }

    /// <summary>The offset of the TSIG record; 0 if there is none.</summary>
    public int Offset { get; }

    /// <summary>The verified key; null without a valid signature.</summary>
    public TsigKey? Key => _verdict == TsigVerdict.Good ? Chain?.Key : null;

    /// <summary>NOERROR for an unsigned or validly signed request, else the RCODE of the refusal.</summary>
    public Rcode Rcode => _verdict switch
    {
        TsigVerdict.Unsigned or TsigVerdict.Good => Rcode.NoError,
        TsigVerdict.Malformed => Rcode.FormErr,
        _ => Rcode.NotAuth,
    };

    /// <summary>Verifies a request.</summary>
    /// <param name="now">Seconds since 1970.</param>
    public static TsigRequest Accept(ReadOnlySpan<byte> message, TsigKeyRing keys, long now)
    {
        TsigVerdict verdict = TsigChain.Accept(message, keys, now, out TsigChain? chain, out int offset);
        return new TsigRequest(verdict, chain, offset);
    }

    /// <inheritdoc/>
    public void Dispose() => Chain?.Dispose();

    /// <summary>The error of the TSIG record: NOERROR, BADKEY, BADSIG, BADTIME or BADTRUNC.</summary>
    public Rcode Error => _verdict switch
    {
        TsigVerdict.BadKey => Rcode.BadKey,
        TsigVerdict.BadSignature => BadSig,
        TsigVerdict.BadTime => Rcode.BadTime,
        TsigVerdict.BadTruncation => Rcode.BadTrunc,
        _ => Rcode.NoError,
    };
}
