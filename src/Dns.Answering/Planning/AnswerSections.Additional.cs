namespace Dns.Answering.Planning;

/// <content>Referrals, glue and the additional section.</content>
internal ref partial struct AnswerSections<TSteps>
{
    /// <summary>The maximum number of host names whose addresses are added.</summary>
    private const int MaxTargets = 16;

    /// <summary>Writes the referral of a cut.</summary>
    internal void WriteReferral(scoped in FoundName at)
    {
        bool isWanted = false;
        // After an alias AA is about the alias (RFC 1035 §4.1.1), whose answer may be cached as a whole.
        if (at.IsQuestion)
        {
            IsAuthoritative = false;
            if (TryWriteCached(at.Zone, in at.Name, at.Skip, type: 0, out isWanted)) return;
        }
        ZoneNode cut = at.Node;
        if (!cut.TryFind(RRType.NS, out RRset servers)) return;
        int owner = OffsetOfSuffix(in at.Name, at.Skip, at.Offset);
        if (!Writer.TryWrite(Section.Authority, owner, cut, servers, servers.Ttl)
            || Query.Edns.DnssecOk && !WriteDelegationSigner(in at, owner))
        {
            IsTruncated = true;
            return;
        }
        // Glue inside the child is mandatory (RFC 9471 §3.1) and comes first; other addresses are optional (§3.2).
        if (!WriteGlue(at.Zone, servers, cut.Name, inside: true)) IsTruncated = true;
        else WriteGlue(at.Zone, servers, cut.Name, inside: false);
        if (isWanted) AddToCache(at.Zone, in at.Name, at.Skip, type: 0);
    }

    /// <summary>Writes a referral's DS, or the proof that there is none (RFC 4035 §3.1.4, RFC 5155 §7.2.7).</summary>
    /// <returns>False if it does not fit.</returns>
    private bool WriteDelegationSigner(scoped in FoundName at, int owner)
    {
        if (at.Node.TryFind(RRType.DS, out RRset ds))
            return Writer.TryWrite(Section.Authority, owner, at.Node, ds, ds.Ttl);
        if (!Proves(at.Zone)) return true;
        ProveNoData(in at, isAnswer: false);
        WriteProofs();
        return !IsTruncated;
    }

    private bool WriteGlue(Zone zone, scoped RRset servers, scoped ReadOnlySpan<byte> cut, bool inside)
    {
        bool fits = true;
        int index = 0;
        foreach (ReadOnlySpan<byte> rdata in servers)
        {
            int i = index++;
            if (!zone.TryFindHost(servers, i, rdata, out ZoneNode host)) continue;
            if (IsAtOrBelow(host.Name, cut) != inside) continue;
            // Glue is unsigned; for signed records no optional signature is made online.
            if (Writer.Online is not null && !inside && !host.IsOccluded) continue;
            if (i < NameCompressor.MaxHosts) fits &= WriteAddresses(host, Writer.HostOffset(i));
            else fits &= WriteAddresses(host, host.Name);
        }
        return fits;
    }

    /// <summary>Whether a name equals another or lies below it. Both are lower-case, so octets are compared.</summary>
    private static bool IsAtOrBelow(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> ancestor)
    {
        int skip = name.Length - ancestor.Length, position = 0;
        while (position < skip) position += name[position] + 1;
        return position == skip && name[skip..].SequenceEqual(ancestor);
    }

    /// <summary>
    /// Adds the addresses of the hosts in the answer, from any served zone. Addresses that would need new online
    /// signatures are left out; clients query them.
    /// </summary>
    private void WriteAdditional(Zone source, scoped RRset rrset)
    {
        if (Writer.Online is not null) return;
        bool isNamed = Rdata.TryGetCompressibleNames(rrset.Type, out _, out _);
        int count = Math.Min(rrset.Count, MaxTargets), index = 0;
        // Several services on one host differ in port only; its addresses are one RRset (RFC 2181 §5).
        Span<ulong> seen = stackalloc ulong[MaxTargets];
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            if (index == count) return;
            ReadOnlySpan<byte> name = Rdata.TargetName(rrset.Type, rdata);
            bool isHere = source.TryFindHost(rrset, index, rdata, out ZoneNode host);
            if (!isHere || host.IsOccluded || host.IsCut)
            {
                seen[index] = WriteAddressesOf(source, name, seen[..index]);
            }
            else
            {
                seen[index] = rrset.HostReference(index);
                bool isRepeated = seen[..index].Contains(seen[index]);
                if (isNamed && !isRepeated) WriteAddresses(host, Writer.HostOffset(index));
                else if (!isRepeated) WriteAddresses(host, name);
            }
            index++;
        }
    }

    /// <summary>
    /// Adds the addresses of a host that is glue in the answer's zone, or in another zone, or in none; unless the
    /// returned hash of its name was seen before.
    /// </summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private ulong WriteAddressesOf(Zone source, scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<ulong> seen)
    {
        if (name.Length <= 1) return 0;
        Unsafe.SkipInit(out LookupName target);
        target.Set(name);
        ulong hash = target.Hash;
        if (seen.Contains(hash) || Zones.Find(in target, 0, out int apexSkip) is not { } zoneSlot) return hash;
        if (zoneSlot != ZoneSlot) IsUncacheable = true;
        if (!zoneSlot.Admits(ref Client)) return hash;
        // For the answer's own zone, the version that answers, even if another was published since.
        if ((zoneSlot == ZoneSlot ? Zone : zoneSlot.Zone) is not { } zone) return hash;
        if (Query.Edns.DnssecOk && zone.OnlineSigner is not null) return hash;
        LookupResult found = zone.Lookup(in target, apexSkip, RRType.A);
        bool withSignatures = Writer.WithSignatures;
        Writer.WithSignatures = Query.Edns.DnssecOk && zone.IsSigned;
        if (found.Outcome is LookupOutcome.Found or LookupOutcome.Wildcard)
            WriteAddresses(found.Node, name, in target);
        else if (found.Outcome == LookupOutcome.Delegation && zone == source
            && zone.TryFind(in target, 0, out ZoneNode glue))
            WriteAddresses(glue, name, in target);
        Writer.WithSignatures = withSignatures;
        return hash;
    }

    private bool WriteAddresses(scoped ZoneNode host, int owner)
    {
        bool fits = true;
        if (host.TryFind(RRType.A, out RRset a) && TryChoose(host, ref a, isAdditional: true))
            fits &= Writer.TryWriteAdditional(owner, host, a);
        if (host.TryFind(RRType.AAAA, out RRset aaaa) && TryChoose(host, ref aaaa, isAdditional: true))
            fits &= Writer.TryWriteAdditional(owner, host, aaaa);
        return fits;
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private bool WriteAddresses(scoped ZoneNode host, scoped ReadOnlySpan<byte> name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        return WriteAddresses(host, name, in lookup);
    }

    private bool WriteAddresses(
        scoped ZoneNode host, scoped ReadOnlySpan<byte> name, scoped ref readonly LookupName lookup)
    {
        bool fits = true;
        if (host.TryFind(RRType.A, out RRset a) && TryChoose(host, ref a, isAdditional: true))
            fits &= Writer.TryWriteAdditional(name, in lookup, host, a);
        if (host.TryFind(RRType.AAAA, out RRset aaaa) && TryChoose(host, ref aaaa, isAdditional: true))
            fits &= Writer.TryWriteAdditional(name, in lookup, host, aaaa);
        return fits;
    }
}
