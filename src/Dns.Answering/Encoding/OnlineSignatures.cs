using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>The signatures that are made for one answer, and who pays for them. Belongs to one thread.</summary>
internal sealed class OnlineSignatures
{
    private readonly byte[] _rdata = new byte[IOnlineSigner.MaxOctets];
    private readonly byte[] _owner = new byte[WireName.MaxOctets];
    private IOnlineSigner? _signer;
    private SigningLimiter? _limiter;
    private ulong _network;
    private bool _isProven;

    /// <summary>How many signatures an RRset has.</summary>
    internal int Count => _signer!.Count;

    /// <summary>Room for the owner of an RRset.</summary>
    internal Span<byte> Owner => _owner;

    /// <summary>Begins with an answer, or with another zone in it.</summary>
    /// <param name="signer">Makes the signatures.</param>
    /// <param name="limiter">Limits how many are made; null does not.</param>
    /// <param name="client">Who asks.</param>
    /// <param name="isProven">Whether the client has shown that it receives what is sent to its address.</param>
    internal void Begin(IOnlineSigner signer, SigningLimiter? limiter, ref ClientAddress client, bool isProven)
    {
        (_signer, _limiter, _isProven) = (signer, limiter, isProven);
        _network = limiter is null ? 0 : SigningLimiter.NetworkOf(ref client);
    }

    /// <summary>Finds a signature, or makes it if it may be made.</summary>
    /// <param name="index">Which of the signatures of the RRset, from 0.</param>
    /// <param name="owner">The owner in lower case.</param>
    /// <param name="rrset">The RRset.</param>
    /// <param name="isOfAnyName">Whether clients can make up such owners without end.</param>
    /// <param name="rdata">RDATA of an RRSIG record, until the next one is asked for.</param>
    internal bool TrySign(
        int index, scoped ReadOnlySpan<byte> owner, scoped RRset rrset, bool isOfAnyName, out ReadOnlySpan<byte> rdata)
    {
        bool isThere = _signer!.TryFind(index, owner, rrset, _rdata, out int octets, out bool isDue);
        if (!isThere || isDue)
        {
            // One that is due goes on for as long as it is valid where no other may be made.
            bool isMade = _limiter?.TryTake(_network, _isProven, _signer.CostOf(index)) != false
                && _signer.TryMake(index, owner, rrset, isOfAnyName, _rdata, out octets);
            isThere = isMade || isThere && _signer.TryFind(index, owner, rrset, _rdata, out octets, out _);
        }
        rdata = _rdata.AsSpan(0, isThere ? octets : 0);
        return isThere;
    }
}
