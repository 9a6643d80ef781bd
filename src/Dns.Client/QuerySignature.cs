namespace Dns.Client;

/// <summary>The signatures of one query and its replies (RFC 8945); without a key there are none.</summary>
public sealed class QuerySignature : IDisposable
{
    private readonly TsigChain? _chain;

    private QuerySignature(TsigChain? chain) => _chain = chain;

    /// <summary>Signs a query.</summary>
    /// <param name="query">The query; with a key a longer one takes its place.</param>
    /// <param name="key">The key; null = it is not signed.</param>
    public static QuerySignature Sign(ref byte[] query, TsigKey? key)
    {
        if (key is null) return new QuerySignature(null);
        int octets = query.Length;
        byte[] signed = new byte[octets + key.MaxRecordOctets];
        query.CopyTo(signed, 0);
        TsigChain chain = TsigChain.Request(key, signed, ref octets, Now);
        query = signed[..octets];
        return new QuerySignature(chain);
    }

    /// <summary>Whether the last message that was verified is one that only a later one proves.</summary>
    public bool IsUnproven { get; private set; }

    /// <summary>Verifies the next reply.</summary>
    /// <returns>The fault; null if the signature is good, a later one can prove it, or there is no key.</returns>
    public string? Verify(ReadOnlySpan<byte> message)
    {
        if (_chain is null) return null;
        TsigVerdict verdict = _chain.Next(message, Now, out _, out Rcode error);
        IsUnproven = verdict == TsigVerdict.Unsigned;
        return verdict switch
        {
            TsigVerdict.Good when error == Rcode.NoError => null,
            TsigVerdict.Unsigned => null,
            _ when error != Rcode.NoError => $"the server does not accept the signature of the query: {TextOf(error)}",
            TsigVerdict.BadTime => "the clocks of this machine and the server differ",
            TsigVerdict.BadTruncation => "the signature of the reply is cut short",
            _ => $"the reply is not signed with key {_chain.Key}",
        };
    }

    /// <summary>Code 16 is BADVERS in an OPT record and BADSIG in a TSIG record.</summary>
    private static string TextOf(Rcode error) => error == Rcode.BadVers ? "BADSIG" : RcodeText.Format(error);

    public void Dispose() => _chain?.Dispose();

    private static long Now => TimeProvider.System.GetUtcNow().ToUnixTimeSeconds();
}
