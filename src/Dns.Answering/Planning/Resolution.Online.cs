namespace Dns.Answering.Planning;

/// <content>Zones with online signatures (RFC 9824).</content>
internal ref partial struct Resolution<TSteps>
{
    /// <summary>Starts writing from such a zone.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void BeginOnline(IOnlineSigner signer)
    {
        // Not cached here, since signatures expire: the signer caches them.
        _isUncacheable = true;
        bool isProven = _isReliable || _query.Edns.HasValidCookie;
        _worker.Online.Begin(signer, _options.SigningLimiter, ref _client, isProven);
        _writer.Online = _worker.Online;
        if (_query.Edns.CompactAnswersOk) _query.Edns.ReplyFlags |= OptReader.CompactAnswersOkFlag >> 8;
    }

    /// <summary>Denies a type of a name, or the name, by one NSEC record at the name (RFC 9824 §3).</summary>
    /// <param name="node">The node that answers for the name; default if none.</param>
    /// <param name="name">The name, in lower case.</param>
    /// <param name="exists">Whether the name, or a wildcard for it, exists.</param>
    /// <param name="nameOffset">The offset of the name in the message; 0 in a referral, which is no answer.</param>
    /// <returns>False if the query is for that record or its signature, which is then the answer.</returns>
    private bool DenyCompactly(Zone zone, scoped ZoneNode node, scoped ReadOnlySpan<byte> name, bool exists,
        int nameOffset)
    {
        // The record implies that the name exists; clients that set CO get NXDOMAIN too (RFC 9824 §5.1).
        if (!exists && !_query.Edns.CompactAnswersOk) Rcode = Rcode.NoError;
        _query.IsNameError = !exists;
        PendingProofs proofs = _worker.Proofs;
        if (!_hasProofs) proofs.Clear();
        proofs.SetCompact(zone, name, node, exists);
        bool isAnswer = nameOffset != 0 && _query.Type is (RRType.NSEC or RRType.RRSIG);
        if (!isAnswer)
        {
            _hasProofs = true;
            return true;
        }
        // The record lists these two types at the name, so they must be answered.
        _query.IsNameError = false;
        Rcode = Rcode.NoError;
        bool isWritten = _writer.TryWriteCompact(nameOffset, proofs, onlySignatures: _query.Type == RRType.RRSIG);
        if (!isWritten) IsTruncated = true;
        return false;
    }
}
