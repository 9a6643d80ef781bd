namespace Dns.Answering.Planning;

/// <content>Zones with online signatures (RFC 9824).</content>
internal ref partial struct AnswerSections<TSteps>
{
    /// <summary>Starts writing from such a zone.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void BeginOnline(IOnlineSigner signer)
    {
        // Not cached here, since signatures expire: the signer caches them.
        IsUncacheable = true;
        bool isProven = _isReliable || Query.Edns.HasValidCookie;
        Worker.Online.Begin(signer, _options.SigningLimiter, ref Client, isProven);
        Writer.Online = Worker.Online;
        if (Query.Edns.CompactAnswersOk) Query.Edns.ReplyFlags |= OptReader.CompactAnswersOkFlag >> 8;
    }

    /// <summary>Denies a type of a name, or the name, by one NSEC record at the name (RFC 9824 §3).</summary>
    /// <param name="name">The name, in lower case.</param>
    /// <param name="exists">Whether the name, or a wildcard for it, exists.</param>
    /// <param name="mayAnswer">Whether the record may be the answer; not in a referral.</param>
    /// <returns>False if the query is for that record or its signature, which is then the answer.</returns>
    private bool DenyCompactly(scoped in FoundName at, scoped ReadOnlySpan<byte> name, bool exists, bool mayAnswer)
    {
        // The record implies that the name exists; clients that set CO get NXDOMAIN too (RFC 9824 §5.1).
        if (!exists && !Query.Edns.CompactAnswersOk) Rcode = Rcode.NoError;
        Query.IsNameError = !exists;
        PendingProofs proofs = Worker.Proofs;
        if (!HasProofs) proofs.Clear();
        proofs.SetCompact(at.Zone, name, at.Node, exists);
        bool isAnswer = mayAnswer && Query.Type is (RRType.NSEC or RRType.RRSIG);
        if (!isAnswer)
        {
            HasProofs = true;
            return true;
        }
        // The record lists these two types at the name, so they must be answered.
        Query.IsNameError = false;
        Rcode = Rcode.NoError;
        bool isWritten = Writer.TryWriteCompact(at.Offset, proofs, onlySignatures: Query.Type == RRType.RRSIG);
        if (!isWritten) IsTruncated = true;
        return false;
    }
}
