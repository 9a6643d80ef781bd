namespace Dns.Forwarding.Acceptance;

/// <content>RRsets: the queried one, the SOA, and with DO the signed denials.</content>
internal ref partial struct ReplySelection
{
    // Sufficient for sixteen aliases through wildcards and a denial of three NSEC3.
    private const int MaxDenials = 32;
    private const int SignerOffset = 18;

    /// <summary>Accepts an RRset, with DO its signatures, all with their lowest TTL (RFC 2181 §5.2).</summary>
    /// <param name="type">Its type; ANY for all.</param>
    /// <param name="ceiling">The maximum TTL, in seconds.</param>
    /// <returns>Whether a record was accepted.</returns>
    private bool TakeSet(in LookupName owner, RRType type, bool isAuthority, uint ceiling = uint.MaxValue)
    {
        // Singleton types: further records would be forged or an error.
        bool isSingle = type is RRType.CNAME or RRType.DNAME or RRType.SOA;
        int found = 0, dropped = 0;
        uint lowest = uint.MaxValue;
        foreach (ref ReplyRecord record in LookThrough())
        {
            if (record.IsAuthority != isAuthority || record.IsTaken || !IsAt(in record, in owner)) continue;
            bool isOfType = Matches(record.Type, type) && !(isSingle && found > 0);
            bool isSignature = _wantsSignatures && record.Type == RRType.RRSIG && record.Covered == type;
            if (!isOfType && !isSignature) continue;
            lowest = Math.Min(lowest, record.Ttl > int.MaxValue ? 0 : record.Ttl);
            if (isOfType && IsPrivate(in record)) dropped++;
            else record.IsTaken = true;
            if (isOfType) found++;
        }
        if (found == 0) return false;
        uint ttl = Math.Min(_rules.Cap(lowest), ceiling);
        _lifetime = Math.Min(_lifetime, ttl);
        _hasDropped |= dropped > 0;
        Write(in owner, type, isAuthority, ttl, signatures: false, without: dropped == found);
        // Signatures do not match an RRset that lost a record.
        Write(in owner, type, isAuthority, ttl, signatures: true, without: dropped > 0);
        return dropped < found;
    }

    private void Write(in LookupName owner, RRType type, bool isAuthority, uint ttl, bool signatures, bool without)
    {
        if (without || (signatures && !_wantsSignatures)) return;
        int count = 0;
        foreach (ref readonly ReplyRecord record in LookThrough())
        {
            if (!record.IsTaken || record.IsAuthority != isAuthority || !IsAt(in record, in owner)) continue;
            if (signatures ? record.Type != RRType.RRSIG || record.Covered != type || type == RRType.RRSIG
                : !Matches(record.Type, type))
                continue;
            if (!_answer.Relayed.TryWrite(in owner, in record, _question.Class, ttl, _reply))
            {
                _isMalformed = true;
                return;
            }
            count++;
        }
        ref RelayedAnswer header = ref _answer.WritableHeader;
        if (isAuthority) header.AuthorityCount += (ushort)count;
        else header.AnswerCount += (ushort)count;
    }

    private static bool Matches(RRType type, RRType queried) =>
        type == queried || (queried == RRType.ANY && !Rdata.IsMeta(type));

    private readonly bool IsAt(in ReplyRecord record, in LookupName name) =>
        record.OwnerHash == name.Hash && record.OwnerLabels == name.LabelCount &&
            name.IsSuffixAt(0, _reply, record.OwnerOffset);

    private readonly bool IsPrivate(in ReplyRecord record)
    {
        if (!_rules.DropPrivateAddresses
            || record.Type is not (RRType.A or RRType.AAAA or RRType.SVCB or RRType.HTTPS)) return false;
        ReadOnlySpan<byte> rdata = _answer.Relayed.Expand(in record, _reply);
        return !rdata.IsEmpty && PrivateAddress.IsIn(record.Type, rdata);
    }

    /// <summary>Takes a negative answer's SOA; caps the lifetime by its negative TTL (RFC 2308 §3, §5).</summary>
    private bool TakeSoa(in LookupName name)
    {
        foreach (ref readonly ReplyRecord record in LookThrough())
        {
            if (!record.IsAuthority || record.Type != RRType.SOA || record.RdataOctets < 22 ||
                !IsAtOrAbove(in record, in name)) continue;
            int end = record.RdataOffset + record.RdataOctets;
            uint minimum = BinaryPrimitives.ReadUInt32BigEndian(_reply[(end - sizeof(uint))..end]);
            LookupName owner = default;
            owner.Set(name.Suffix(name.LabelCount - record.OwnerLabels));
            return TakeSet(in owner, RRType.SOA, isAuthority: true, _rules.CapNegative(record.Ttl, minimum));
        }
        return false;
    }

    // Accepts NSEC and NSEC3 with their signatures, which prove a denial or wildcard to a validator. They count if
    // their signer is at or above a name of the chain, and at or above their owner.
    private void TakeDenials()
    {
        LookupName signer = default, owner = default;
        int left = MaxDenials;
        foreach (ref readonly ReplyRecord record in LookThrough())
        {
            if (!record.IsAuthority || record.IsTaken || record.Covered is not (RRType.NSEC or RRType.NSEC3)) continue;
            int position = record.RdataOffset + SignerOffset, ownerPosition = record.OwnerOffset;
            if (!signer.TryExpand(_reply[..(record.RdataOffset + record.RdataOctets)], ref position)) continue;
            if (!IsAboveChain(in signer) || !IsBelow(in record, in signer)) continue;
            if (left-- == 0) return;
            owner.TryExpand(_reply, ref ownerPosition);
            TakeSet(in owner, record.Covered, isAuthority: true);
            if (_isMalformed) return;
        }
    }

    private readonly bool IsAboveChain(in LookupName signer)
    {
        for (int i = 0; i <= _answer.AliasCount; i++)
        {
            ref readonly LookupName name = ref _answer.Names[i];
            int skipped = name.LabelCount - signer.LabelCount;
            if (skipped >= 0 && name.Suffix(skipped).SequenceEqual(signer.Octets)) return true;
        }
        return false;
    }

    private readonly bool IsBelow(in ReplyRecord record, in LookupName zone)
    {
        LookupName owner = default;
        int position = record.OwnerOffset;
        return owner.TryExpand(_reply, ref position)
            && owner.LabelCount >= zone.LabelCount &&
            owner.Suffix(owner.LabelCount - zone.LabelCount).SequenceEqual(zone.Octets);
    }
}
