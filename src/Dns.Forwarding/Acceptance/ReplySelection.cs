namespace Dns.Forwarding.Acceptance;

/// <summary>
/// Selects what answers the question: the alias chain from its name on, and the RRset at the end or the SOA that denies
/// it; with DO their signatures and denials. Everything else is dropped.
/// </summary>
internal ref partial struct ReplySelection
{
    private readonly Question _question;
    private readonly ReadOnlySpan<byte> _reply;
    private readonly AcceptanceRules _rules;
    private readonly AcceptedAnswer _answer;
    private readonly Span<ReplyRecord> _records;
    private readonly bool _wantsSignatures;
    private uint _lifetime;
    private bool _isMalformed, _hasDropped;

    /// <param name="reply">The whole message, its records parsed.</param>
    /// <param name="answer">Has the records of the reply and receives the answer.</param>
    public ReplySelection(Question question, ReadOnlySpan<byte> reply, AcceptanceRules rules, AcceptedAnswer answer)
    {
        _question = question;
        _reply = reply;
        _rules = rules;
        _answer = answer;
        _records = answer.Found.All;
        _wantsSignatures = (question.Flags & QuestionFlags.DnssecOk) != 0;
        _lifetime = uint.MaxValue;
    }

    private readonly Rcode Code => _answer.WritableHeader.Rcode;

    /// <summary>Fills the answer.</summary>
    public ReplyVerdict Take(bool isAuthoritative)
    {
        ReplyVerdict verdict = FollowChain(isAuthoritative);
        if (_isMalformed) return ReplyVerdict.Malformed;
        if (verdict != ReplyVerdict.Accepted) return verdict;
        ref RelayedAnswer header = ref _answer.WritableHeader;
        header.Octets = _answer.Records.Length;
        _answer.LifetimeSeconds = _lifetime == uint.MaxValue ? 0 : _lifetime;
        if (_answer.EndsInAlias || _hasDropped) header.AuthenticData = false;
        if (_hasDropped) header.Error = ExtendedErrorCode.Blocked;
        return verdict;
    }

    private ReplyVerdict FollowChain(bool isAuthoritative)
    {
        while (true)
        {
            ref readonly LookupName name = ref _answer.LastName;
            if (_answer.AliasCount > 0 && !_rules.Hold(in name, _question.Type)) return LeadOn();
            if (TakeSet(in name, _question.Type, isAuthority: false))
            {
                if (_wantsSignatures) TakeDenials();
                return Code == Rcode.NoError ? ReplyVerdict.Accepted : ReplyVerdict.Useless;
            }
            if (_isMalformed) return ReplyVerdict.Malformed;
            switch (TakeAlias())
            {
                case AliasKind.None: return TakeNegative(in name, isAuthoritative);
                case AliasKind.Contradiction: return ReplyVerdict.Useless;
                case AliasKind.TooLong: return Code == Rcode.YXDomain ? ReplyVerdict.Accepted : ReplyVerdict.Useless;
            }
            if (_answer.AliasCount == AcceptedAnswer.MaxAliases) return ReplyVerdict.Useless;
            _answer.AliasCount++;
        }
    }

    /// <summary>Ends the chain where the reply has no more, or at a name of another zone.</summary>
    private ReplyVerdict LeadOn()
    {
        _answer.WritableHeader.EndsInAlias = true;
        _answer.WritableHeader.Rcode = Rcode.NoError;
        return ReplyVerdict.Accepted;
    }

    private ReplyVerdict TakeNegative(in LookupName name, bool isAuthoritative)
    {
        if (Code == Rcode.YXDomain) return ReplyVerdict.Useless;
        if (_hasDropped)
        {
            _answer.IsNoData = true;
            return Code == Rcode.NoError ? ReplyVerdict.Accepted : ReplyVerdict.Useless;
        }
        if (!TakeSoa(in name))
        {
            if (_isMalformed) return ReplyVerdict.Malformed;
            if (Code == Rcode.NoError && _answer.AliasCount > 0) return LeadOn();
            if (Code == Rcode.NoError && !isAuthoritative && IsReferral(in name)) return ReplyVerdict.Useless;
            // RFC 2308 §5: without SOA a negative answer has no lifetime.
            _lifetime = 0;
        }
        if (_wantsSignatures) TakeDenials();
        _answer.IsNoData = Code == Rcode.NoError;
        return ReplyVerdict.Accepted;
    }

    private readonly bool IsReferral(in LookupName name)
    {
        foreach (ref readonly ReplyRecord record in LookThrough())
            if (record.IsAuthority && record.Type == RRType.NS && IsAtOrAbove(in record, in name)) return true;
        return false;
    }

    /// <summary>All records. Each pass counts as work.</summary>
    private readonly Span<ReplyRecord> LookThrough()
    {
        _answer.RecordsLookedAt += _records.Length;
        return _records;
    }

    private readonly bool IsAtOrAbove(in ReplyRecord record, in LookupName name)
    {
        int skipped = name.LabelCount - record.OwnerLabels;
        return skipped >= 0 && name.SuffixHash(skipped) == record.OwnerHash &&
            name.IsSuffixAt(skipped, _reply, record.OwnerOffset);
    }
}
