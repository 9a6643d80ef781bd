using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Referrals, glue and the additional section.</content>
internal ref partial struct Resolution<TTrace>
{
    /// <summary>The most names in an answer whose addresses are looked for; more are left to the client.</summary>
    private const int MaxTargets = 16;

    private void WriteReferral(
        Zone zone, scoped ref readonly LookupName name, scoped ZoneNode cut, int skip, int apexSkip, int nameOffset)
    {
        // At the end of a chain of aliases the answer is the chain; the client goes on from its last name.
        if (_aliasCount > 0) return;
        IsAuthoritative = false;
        bool isWanted = false;
        if (_useReadyAnswers && TryWriteReady(zone, in name, skip, type: 0, out isWanted)) return;
        if (!cut.TryFind(RRType.NS, out RRset servers)) return;
        int owner = OffsetOfSuffix(in name, skip, nameOffset);
        if (!_writer.TryWrite(Section.Authority, owner, cut, servers, servers.Ttl))
        {
            IsTruncated = true;
            return;
        }
        if (_query.Edns.DnssecOk && !WriteDelegationSigner(zone, in name, cut, skip, apexSkip, owner))
        {
            IsTruncated = true;
            return;
        }
        // Without glue from inside the child the client cannot go on, so that comes first and is mandatory
        // (RFC 9471 §3.1); addresses of servers elsewhere in the zone are a help (§3.2).
        if (!WriteGlue(zone, servers, cut.Name, inside: true)) IsTruncated = true;
        else WriteGlue(zone, servers, cut.Name, inside: false);
        if (isWanted) KeepReady(zone, in name, skip, type: 0);
    }

    /// <summary>Writes the DS of a referral, or the proof that there is none (RFC 4035 §3.1.4, RFC 5155 §7.2.7).</summary>
    /// <returns>False if it does not fit.</returns>
    private bool WriteDelegationSigner(
        Zone zone, scoped ref readonly LookupName name, scoped ZoneNode cut, int skip, int apexSkip, int owner)
    {
        if (cut.TryFind(RRType.DS, out RRset ds)) return _writer.TryWrite(Section.Authority, owner, cut, ds, ds.Ttl);
        if (!Proves(zone)) return true;
        ProveNoData(zone, in name, apexSkip, isExact: true, skip);
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
            if (i < NameCompressor.MaxHosts) fits &= WriteAddresses(host, _writer.HostOffset(i));
            else fits &= WriteAddresses(host, host.Name);
        }
        return fits;
    }

    /// <summary>Whether a name is another or lies below it, both in lower case: their octets can be compared.</summary>
    private static bool IsAtOrBelow(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> ancestor)
    {
        int skip = name.Length - ancestor.Length, position = 0;
        while (position < skip) position += name[position] + 1;
        return position == skip && name[skip..].SequenceEqual(ancestor);
    }

    /// <summary>Adds the addresses of the hosts that the answer names, from whatever zone served has them.</summary>
    private void WriteAdditional(Zone source, scoped RRset rrset)
    {
        bool isNamed = Rdata.TryGetCompressibleNames(rrset.Type, out _, out _);
        int count = Math.Min(rrset.Count, MaxTargets), index = 0;
        // Services on one host differ in their ports alone; its addresses are still one RRset (RFC 2181 §5).
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
                if (isNamed && !isRepeated) WriteAddresses(host, _writer.HostOffset(index));
                else if (!isRepeated) WriteAddresses(host, name);
            }
            index++;
        }
    }

    /// <summary>
    /// Adds the addresses of a host that is glue in the answer's zone, or stands in another zone or in none; unless the
    /// hash of its name, which is returned, was seen before.
    /// </summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private ulong WriteAddressesOf(Zone source, scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<ulong> seen)
    {
        _mayNotBeKept = true;
        if (name.Length <= 1) return 0;
        Unsafe.SkipInit(out LookupName target);
        target.Set(name);
        ulong hash = target.Hash;
        if (seen.Contains(hash) || _zones.Find(in target, 0, out int apexSkip) is not { } zoneSlot) return hash;
        if (!zoneSlot.Admits(ref _client)) return hash;
        // The answer's own zone in the version that the answer is of, whatever has been published since.
        if ((zoneSlot == _zoneSlot ? Zone : zoneSlot.Zone) is not { } zone) return hash;
        LookupResult found = zone.Lookup(in target, apexSkip, RRType.A);
        bool withSignatures = _writer.WithSignatures;
        _writer.WithSignatures = _query.Edns.DnssecOk && zone.IsSigned;
        if (found.Outcome is LookupOutcome.Found or LookupOutcome.Wildcard)
            WriteAddresses(found.Node, name, in target);
        else if (found.Outcome == LookupOutcome.Delegation && zone == source
            && zone.TryFind(in target, 0, out ZoneNode glue))
            WriteAddresses(glue, name, in target);
        _writer.WithSignatures = withSignatures;
        return hash;
    }

    private bool WriteAddresses(scoped ZoneNode host, int owner)
    {
        bool fits = true;
        if (host.TryFind(RRType.A, out RRset a)) fits &= _writer.TryWriteAdditional(owner, host, a);
        if (host.TryFind(RRType.AAAA, out RRset aaaa)) fits &= _writer.TryWriteAdditional(owner, host, aaaa);
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
        if (host.TryFind(RRType.A, out RRset a)) fits &= _writer.TryWriteAdditional(name, in lookup, host, a);
        if (host.TryFind(RRType.AAAA, out RRset aaaa)) fits &= _writer.TryWriteAdditional(name, in lookup, host, aaaa);
        return fits;
    }
}
