namespace Dns.Protocol;

/// <summary>
/// The signature of a request as a server sees it (RFC 8945 §5.2): the one way in which requests are verified, whatever their
/// transport and opcode.
/// </summary>
public readonly struct TsigRequest : IDisposable
{
    // 16 is BADSIG in a TSIG record, and BADVERS elsewhere.
    private const Rcode BadSig = Rcode.BadVers;

    private readonly TsigVerdict _verdict;

    private TsigRequest(TsigVerdict verdict, TsigChain? chain, int offset) =>
        (_verdict, Chain, Offset) = (verdict, chain, offset);

    /// <summary>
    /// Signs the replies; null if the request is not signed, or signed so that no reply can be. Disposed with this, or by who takes it.
    /// </summary>
    public TsigChain? Chain { get; }

    /// <summary>Where the TSIG record starts; 0 if there is none.</summary>
    public int Offset { get; }

    /// <summary>The key that the request is signed with; null if it is not, or not rightly.</summary>
    public TsigKey? Key => _verdict == TsigVerdict.Good ? Chain?.Key : null;

    /// <summary>NOERROR for what is not signed or signed rightly, else the code that it is refused with.</summary>
    public Rcode Rcode => _verdict switch
    {
        TsigVerdict.Unsigned or TsigVerdict.Good => Rcode.NoError,
        TsigVerdict.Malformed => Rcode.FormErr,
        _ => Rcode.NotAuth,
    };

    /// <summary>Verifies a request.</summary>
    /// <param name="message">The whole message.</param>
    /// <param name="keys">The keys that are known.</param>
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
