namespace Dns.Answering.Encoding;

/// <summary>The online signatures of one answer, within a rate limit. Belongs to one thread.</summary>
internal sealed class OnlineSignatures
{
    private readonly byte[] _rdata = new byte[IOnlineSigner.MaxOctets];
    private readonly byte[] _owner = new byte[WireName.MaxOctets];
    private IOnlineSigner? _signer;
    private SigningLimiter? _limiter;
    private ulong _network;
    private bool _isProven;

    internal int Count => _signer!.Count;

    /// <summary>Room for the owner of an RRset.</summary>
    internal Span<byte> Owner => _owner;

    /// <summary>Starts an answer, or another zone in it.</summary>
    /// <param name="limiter">Limits new signatures; null = no limit.</param>
    internal void Begin(IOnlineSigner signer, SigningLimiter? limiter, ref ClientAddress client, bool isProven)
    {
        (_signer, _limiter, _isProven) = (signer, limiter, isProven);
        _network = limiter is null ? 0 : SigningLimiter.NetworkOf(ref client);
    }

    /// <summary>Finds a signature, or makes it if the limit allows.</summary>
    /// <param name="index">Which signature of the RRset, from 0.</param>
    /// <param name="owner">The owner in lower case.</param>
    /// <param name="isOfAnyName">Whether clients can invent such owners.</param>
    /// <param name="rdata">RDATA of an RRSIG record, valid until the next call.</param>
    internal bool TrySign(
        int index, scoped ReadOnlySpan<byte> owner, scoped RRset rrset, bool isOfAnyName, out ReadOnlySpan<byte> rdata)
    {
        bool isThere = _signer!.TryFind(index, owner, rrset, _rdata, out int octets, out bool isDue);
        if (!isThere || isDue)
        {
            // If no new signature may be made, one due for renewal is used as long as it is valid.
            bool isMade = _limiter?.TryTake(_network, _isProven, _signer.CostOf(index)) != false
                && _signer.TryMake(index, owner, rrset, isOfAnyName, _rdata, out octets);
            isThere = isMade || isThere && _signer.TryFind(index, owner, rrset, _rdata, out octets, out _);
        }
        rdata = _rdata.AsSpan(0, isThere ? octets : 0);
        return isThere;
    }
}
