using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>CNAME and DNAME.</content>
internal ref partial struct Resolution<TTrace>
{
    /// <summary>Writes the aliases from the question's name on, and what they lead to.</summary>
    /// <param name="zone">The zone of the question's name.</param>
    /// <param name="node">The node that owns the CNAME or DNAME.</param>
    /// <param name="skip">Labels in front of a DNAME's owner; -1 for a CNAME.</param>
    private void WriteAliases(Zone zone, ZoneNode node, int skip)
    {
        ref readonly LookupName name = ref _query.Name;
        // What others are asked for may change, and of a wildcard's names each has its own answer.
        bool isWanted = false, mayBeReady = _useReadyAnswers && _forwarded is null && skip < 0 && _query.Type != 0
            && node.Name.SequenceEqual(name.Octets);
        if (mayBeReady && TryWriteReady(zone, in name, 0, _query.Type, out isWanted, _zones.Snapshot)) return;
        FollowAliases(node, skip);
        if (isWanted && !_mayNotBeKept && !IsTruncated && Rcode == Rcode.NoError)
            KeepReady(zone, in name, 0, _query.Type, _zones.Snapshot);
    }

    /// <summary>Follows aliases from the question's name on.</summary>
    /// <param name="node">The node that owns the CNAME or DNAME.</param>
    /// <param name="skip">Labels in front of a DNAME's owner; -1 for a CNAME.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void FollowAliases(ZoneNode node, int skip)
    {
        Unsafe.SkipInit(out LookupName name);
        name.Set(_query.Name.Octets);
        ZoneVersions versions = default;
        versions.Of(_zoneSlot!, Zone);
        FollowAliases(ref name, MessageHeader.LengthOctets, ref versions, node, skip);
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void FollowAliases(
        scoped ref LookupName name, int nameOffset, scoped ref ZoneVersions versions, scoped ZoneNode node, int skip)
    {
        Span<byte> target = stackalloc byte[WireName.MaxOctets];
        Span<ulong> ownVisited = stackalloc ulong[Resolution.MaxVisited];
        scoped Span<ulong> visited = _visited.IsEmpty ? ownVisited : _visited;
        while (true)
        {
            // A CNAME stands for its name and a DNAME for its owner. Names may come back under a DNAME only if it
            // shortens them: then they reach an end.
            ulong identity = skip < 0 ? name.Hash : name.SuffixHash(skip);
            bool isAgain = visited[.._visitedCount].Contains(identity);
            if (isAgain && (skip < 0 || !Shortens(node))) return;
            if (skip >= 0)
            {
                // Unless a CNAME leads back to one that was there.
                if (visited[.._visitedCount].Contains(name.Hash)) return;
                visited[_visitedCount++] = name.Hash;
            }
            visited[_visitedCount++] = identity;
            _aliasCount++;
            int length = skip < 0
                ? WriteAlias(node, nameOffset, target)
                : Redirect(node, isAgain, skip, in name, nameOffset, target);
            if (length == 0 || _aliasCount == Resolution.MaxAliases) return;
            if (skip >= 0 && _query.Type is RRType.CNAME or RRType.ANY) return;
            nameOffset = _writer.HostOffset(0);
            name.Set(target[..length]);
            // The DNAME that was asked for may be one that led here: it stands in the answer already.
            if (_query.Type == RRType.DNAME && visited[.._visitedCount].Contains(name.Hash)) return;
            if (!StepAcross(in name, nameOffset, ref versions, out node, out skip)) return;
        }
    }

    /// <summary>Looks up a name that an alias leads to, in whatever zone it lies.</summary>
    /// <returns>True if the node is an alias to follow.</returns>
    private bool StepAcross(
        scoped ref readonly LookupName name, int nameOffset, scoped ref ZoneVersions versions, out ZoneNode node, out int skip)
    {
        node = default;
        skip = 0;
        ZoneSlot? zoneSlot = ZoneChoice.Find(_zones, in name, _query.Type, out int apexSkip);
        if (zoneSlot != _zoneSlot) _mayNotBeKept = true;
        if (Leaves(in name, zoneSlot is null ? -1 : name.LabelCount - apexSkip)) return false;
        // What a zone keeps from a client it keeps from him by way of others too: he asks himself, and is refused.
        // Where he was let in he stays for the rest of the answer: a list that changes meanwhile would leave half of it to be kept.
        if (zoneSlot is not null && zoneSlot != _zoneSlot && !zoneSlot.Admits(ref _client))
        {
            if (TTrace.IsOn) _trace.OnDenied(in name, zoneSlot);
            return false;
        }
        if (zoneSlot is null || versions.Of(zoneSlot, zoneSlot.Zone) is not { } zone)
        {
            if (TTrace.IsOn) _trace.OnNoZone(in name, zoneSlot);
            return false;
        }
        return Step(zoneSlot, zone, in name, apexSkip, nameOffset, out node, out skip);
    }

    private static bool Shortens(scoped ZoneNode node) =>
        node.TryFind(RRType.DNAME, out RRset dname) && dname.First.Length < node.Name.Length;

    /// <summary>Writes the CNAME of a node. Returns the length of its target, 0 if it did not fit.</summary>
    private int WriteAlias(scoped ZoneNode node, int nameOffset, scoped Span<byte> target)
    {
        node.TryFind(RRType.CNAME, out RRset cname);
        if (!_writer.TryWrite(Section.Answer, nameOffset, node, cname, cname.Ttl))
        {
            IsTruncated = true;
            return 0;
        }
        cname.First.CopyTo(target);
        return cname.First.Length;
    }

    /// <summary>
    /// Writes a DNAME, unless it stands in the answer already, and the CNAME that it makes of the name (RFC 6672
    /// §2.2, §3.1). Returns the length of the new name; 0 if it would be too long (YXDOMAIN) or did not fit.
    /// </summary>
    private int Redirect(
        scoped ZoneNode node, bool isAgain, int skip, scoped ref readonly LookupName name, int nameOffset,
        scoped Span<byte> target)
    {
        _mayNotBeKept = true;
        node.TryFind(RRType.DNAME, out RRset dname);
        int offset = OffsetOfSuffix(in name, skip, nameOffset);
        if (!isAgain && !_writer.TryWrite(Section.Answer, offset, node, dname, dname.Ttl))
        {
            IsTruncated = true;
            return 0;
        }
        int prefix = name.Start(skip);
        int length = prefix + dname.First.Length;
        if (length > WireName.MaxOctets)
        {
            Rcode = Rcode.YXDomain;
            return 0;
        }
        _writer.CopySpelled(nameOffset, prefix, target);
        dname.First.CopyTo(target[prefix..]);
        if (_writer.TryWriteSynthesisedCname(nameOffset, dname.Ttl, target[..length])) return length;
        IsTruncated = true;
        return 0;
    }
}
