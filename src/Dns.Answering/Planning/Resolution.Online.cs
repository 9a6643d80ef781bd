using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Zones whose signatures are made when an answer needs them (RFC 9824).</content>
internal ref partial struct Resolution<TTrace>
{
    /// <summary>Begins to write from such a zone.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void BeginOnline(IOnlineSigner signer)
    {
        // Signatures have an end: they are cached by the signer, which looks at it.
        _isUncacheable = true;
        bool isProven = _isReliable || _query.Edns.HasValidCookie;
        _worker.Online.Begin(signer, _options.SigningLimiter, ref _client, isProven);
        _writer.Online = _worker.Online;
        if (_query.Edns.CompactAnswersOk) _query.Edns.ReplyFlags |= OptReader.CompactAnswersOkFlag >> 8;
    }

    /// <summary>Denies a type of a name, or the name, by one NSEC record at the name (RFC 9824 §3).</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="node">The node that answers for the name; default where there is none.</param>
    /// <param name="name">The name, in lower case.</param>
    /// <param name="exists">Whether the name exists, or a wildcard for it.</param>
    /// <param name="nameOffset">Where the message has the name.</param>
    /// <returns>False if that record, or its signature, was asked for and is the answer.</returns>
    private bool DenyCompactly(Zone zone, scoped ZoneNode node, scoped ReadOnlySpan<byte> name, bool exists, int nameOffset)
    {
        // The record says that the name exists; who says that they understand NXNAME gets the code too (RFC 9824 §5.1).
        if (!exists && !_query.Edns.CompactAnswersOk) Rcode = Rcode.NoError;
        PendingProofs proofs = _worker.Proofs;
        if (!_hasProofs) proofs.Clear();
        proofs.SetCompact(zone, name, node, exists);
        bool isAnswer = _query.Type is RRType.NSEC or RRType.RRSIG;
        if (!isAnswer)
        {
            _hasProofs = true;
            return true;
        }
        // The name has these two as the record itself says, so that an answer without them would be a lie.
        Rcode = Rcode.NoError;
        bool isWritten = _writer.TryWriteCompact(nameOffset, proofs, onlySignatures: _query.Type == RRType.RRSIG);
        if (!isWritten) IsTruncated = true;
        return false;
    }
}
