using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Referrals, glue and the additional section.</content>
internal ref partial struct Resolution
{
    /// <summary>The most names in an answer whose addresses are looked for; more are left to the client.</summary>
    private const int MaxTargets = 16;

    /// <summary>Types whose RDATA names a host that the client will want the addresses of.</summary>
    private static bool HasTargets(RRType type) =>
        type is RRType.NS or RRType.MX or RRType.SRV or RRType.SVCB or RRType.HTTPS or RRType.NAPTR;

    private void WriteReferral(Zone zone, scoped ref readonly LookupName name, scoped ZoneNode cut, int skip, int nameOffset)
    {
        // At the end of a chain of aliases the answer is the chain; the client goes on from its last name.
        if (_aliasCount > 0) return;
        IsAuthoritative = false;
        if (!cut.TryFind(RRType.NS, out RRset servers)) return;
        int owner = OffsetOfSuffix(in name, skip, nameOffset);
        if (!_writer.TryWrite(Section.Authority, owner, cut, servers, servers.Ttl))
        {
            IsTruncated = true;
            return;
        }
        if (_writer.WithSignatures && cut.TryFind(RRType.DS, out RRset ds)
            && !_writer.TryWrite(Section.Authority, owner, cut, ds, ds.Ttl))
        {
            IsTruncated = true;
            return;
        }
        // Without glue from inside the child the client cannot go on, so that comes first and is mandatory
        // (RFC 9471 §3.1); addresses of servers elsewhere in the zone are a help (§3.2).
        bool fits = WriteGlue(zone, servers, cut.Name, inside: true);
        if (!fits) IsTruncated = true;
        else WriteGlue(zone, servers, cut.Name, inside: false);
    }

    [SkipLocalsInit]
    private bool WriteGlue(Zone zone, scoped RRset servers, scoped ReadOnlySpan<byte> cut, bool inside)
    {
        Unsafe.SkipInit(out LookupName target);
        bool fits = true;
        foreach (ReadOnlySpan<byte> server in servers)
        {
            if (WireName.IsAtOrBelow(server, cut) != inside || !WireName.IsAtOrBelow(server, zone.Apex)) continue;
            target.Set(server);
            if (zone.TryFind(in target, 0, out ZoneNode host)) fits &= WriteAddresses(host, server, in target);
        }
        return fits;
    }

    /// <summary>Adds the addresses of the hosts that the answer names, from whatever zone served has them.</summary>
    [SkipLocalsInit]
    private void WriteAdditional(Zone source, scoped RRset rrset)
    {
        Unsafe.SkipInit(out LookupName target);
        int count = 0;
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            ReadOnlySpan<byte> name = Rdata.TargetName(rrset.Type, rdata);
            if (name.Length <= 1) continue;
            if (count++ == MaxTargets) return;
            target.Set(name);
            if (_zones.Find(in target, 0, out int apexSkip)?.Zone is not { } zone) continue;
            LookupResult found = zone.Lookup(in target, apexSkip, RRType.A);
            if (found.Outcome is LookupOutcome.Found or LookupOutcome.Wildcard)
                WriteAddresses(found.Node, name, in target);
            else if (found.Outcome == LookupOutcome.Delegation && zone == source
                && zone.TryFind(in target, 0, out ZoneNode glue))
                WriteAddresses(glue, name, in target);
        }
    }

    private bool WriteAddresses(scoped ZoneNode host, scoped ReadOnlySpan<byte> name, scoped ref readonly LookupName lookup)
    {
        bool fits = true;
        if (host.TryFind(RRType.A, out RRset a)) fits &= _writer.TryWriteAdditional(name, in lookup, a);
        if (host.TryFind(RRType.AAAA, out RRset aaaa)) fits &= _writer.TryWriteAdditional(name, in lookup, aaaa);
        return fits;
    }
}
