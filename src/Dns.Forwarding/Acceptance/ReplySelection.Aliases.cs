namespace Dns.Forwarding.Acceptance;

/// <content>One step of an alias chain: a CNAME at the name, or a DNAME above it.</content>
internal ref partial struct ReplySelection
{
    private enum AliasKind : byte
    {
        /// <summary>The chain ends here.</summary>
        None,

        /// <summary>An alias was accepted; the chain continues at its target.</summary>
        Taken,

        /// <summary>CNAME and DNAME have different targets, or invalid ones.</summary>
        Contradiction,

        /// <summary>The DNAME makes a name of more than 255 octets (RFC 6672 §2.2).</summary>
        TooLong,
    }

    private AliasKind TakeAlias()
    {
        ref readonly LookupName name = ref _answer.LastName;
        int alias = FindAlias(in name), redirection = FindRedirection(in name);
        if (alias < 0 && redirection < 0) return AliasKind.None;
        if (_answer.AliasCount == AcceptedAnswer.MaxAliases) return AliasKind.Contradiction;
        ref LookupName next = ref _answer.Names[_answer.AliasCount + 1];
        if (redirection >= 0) return TakeRedirection(in name, redirection, alias, ref next);
        if (!TryReadTarget(in _records[alias], ref next)) return AliasKind.Contradiction;
        return TakeSet(in name, RRType.CNAME, isAuthority: false) ? AliasKind.Taken : AliasKind.Contradiction;
    }

    /// <summary>Accepts a DNAME and its CNAME, which is synthesised if the reply lacks it (RFC 6672 §3.1).</summary>
    private AliasKind TakeRedirection(in LookupName name, int redirection, int alias, ref LookupName next)
    {
        ref readonly ReplyRecord record = ref _records[redirection];
        LookupName owner = default, target = default;
        owner.Set(name.Suffix(name.LabelCount - record.OwnerLabels));
        if (!TryReadTarget(in record, ref target)) return AliasKind.Contradiction;
        bool isRepeated = record.IsTaken;
        if (!isRepeated) TakeSet(in owner, RRType.DNAME, isAuthority: false);
        int prefix = name.Length - owner.Length;
        if (prefix + target.Length > WireName.MaxOctets) return AliasKind.TooLong;
        Span<byte> octets = stackalloc byte[WireName.MaxOctets];
        name.Octets[..prefix].CopyTo(octets);
        target.Octets.CopyTo(octets[prefix..]);
        next.Set(octets[..(prefix + target.Length)]);
        if (alias >= 0)
        {
            if (!TryReadTarget(in _records[alias], ref target) || !target.Octets.SequenceEqual(next.Octets))
                return AliasKind.Contradiction;
            return TakeSet(in name, RRType.CNAME, isAuthority: false) ? AliasKind.Taken : AliasKind.Contradiction;
        }
        uint ttl = _rules.Cap(record.Ttl);
        _isMalformed |= !_answer.Relayed.TryWriteAlias(in name, _question.Class, ttl, in next);
        _answer.WritableHeader.AnswerCount++;
        return AliasKind.Taken;
    }

    private readonly int FindAlias(in LookupName name)
    {
        Span<ReplyRecord> records = LookThrough();
        for (int i = 0; i < records.Length; i++)
            if (!records[i].IsAuthority && records[i].Type == RRType.CNAME && IsAt(in records[i], in name)) return i;
        return -1;
    }

    private readonly int FindRedirection(in LookupName name)
    {
        Span<ReplyRecord> records = LookThrough();
        for (int i = 0; i < records.Length; i++)
        {
            ref readonly ReplyRecord record = ref records[i];
            // One outside of the zone would redirect names of others in a cache behind this one; its CNAME is taken.
            if (!record.IsAuthority && record.Type == RRType.DNAME && record.OwnerLabels < name.LabelCount
                && IsAtOrAbove(in record, in name) && IsOfZone(in name, record.OwnerLabels)) return i;
        }
        return -1;
    }

    private readonly bool IsOfZone(in LookupName below, int labels)
    {
        LookupName owner = default;
        owner.Set(below.Suffix(below.LabelCount - labels));
        return _rules.HoldOwner(in owner);
    }

    private readonly bool TryReadTarget(in ReplyRecord record, ref LookupName target)
    {
        int position = record.RdataOffset, end = record.RdataOffset + record.RdataOctets;
        return target.TryExpand(_reply[..end], ref position) && position == end;
    }
}
