namespace Dns.Answering.Planning;

/// <content>CNAME and DNAME.</content>
internal ref partial struct Resolution<TSteps>
{
    /// <summary>Writes the aliases from the question's name on, and their targets.</summary>
    /// <param name="skip">Labels in front of a DNAME's owner.</param>
    private void WriteAliases(Zone zone, AliasKind alias, ZoneNode node, int skip)
    {
        ref readonly LookupName name = ref Query.Name;
        RRType type = Query.Type;
        long zones = _answer.Zones.Snapshot;
        // A forwarded target may change, and each name under a wildcard has its own answer.
        bool isWanted = false, mayBeCached = _forwarded is null && alias == AliasKind.Cname && type != 0
            && node.Name.SequenceEqual(name.Octets);
        if (mayBeCached && _answer.TryWriteCached(zone, in name, 0, type, out isWanted, zones)) return;
        FollowAliases(alias, node, skip);
        if (isWanted && !_answer.IsTruncated && _answer.Rcode == Rcode.NoError)
            _answer.AddToCache(zone, in name, 0, type, zones);
    }

    /// <summary>Follows aliases from the question's name on.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void FollowAliases(AliasKind alias, ZoneNode node, int skip)
    {
        Unsafe.SkipInit(out LookupName name);
        name.Set(Query.Name.Octets);
        ZoneVersions versions = default;
        versions.Of(_answer.ZoneSlot!, _answer.Zone);
        FollowAliases(ref name, MessageHeader.LengthOctets, ref versions, alias, node, skip);
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void FollowAliases(
        scoped ref LookupName name, int nameOffset, scoped ref ZoneVersions versions, AliasKind alias,
        scoped ZoneNode node, int skip)
    {
        Span<byte> target = stackalloc byte[WireName.MaxOctets];
        Span<ulong> ownVisited = stackalloc ulong[Resolution.MaxVisited];
        scoped Span<ulong> visited = _visited.IsEmpty ? ownVisited : _visited;
        while (true)
        {
            // A CNAME is identified by its name, a DNAME by its owner. A name may return under a DNAME only if the
            // DNAME shortens it, so the chain ends.
            bool isDname = alias == AliasKind.Dname;
            ulong identity = isDname ? name.SuffixHash(skip) : name.Hash;
            bool isAgain = visited[.._visitedCount].Contains(identity);
            if (isAgain && (!isDname || !Shortens(node))) return;
            if (isDname)
            {
                // Unless a CNAME leads back to a visited name.
                if (visited[.._visitedCount].Contains(name.Hash)) return;
                visited[_visitedCount++] = name.Hash;
            }
            visited[_visitedCount++] = identity;
            _aliasCount++;
            int length = isDname
                ? Redirect(node, isAgain, skip, in name, nameOffset, target)
                : WriteAlias(node, nameOffset, target);
            if (length == 0 || _aliasCount == Resolution.MaxAliases) return;
            if (isDname && Query.Type is RRType.CNAME or RRType.ANY) return;
            nameOffset = _answer.Writer.HostOffset(0);
            name.Set(target[..length]);
            // The queried DNAME may have led here, and is then in the answer already; so is its RRSIG, and a query for
            // RRSIG may be answered with some of them (RFC 8482 §7).
            bool isThere = Query.Type == RRType.DNAME || (Query.Type == RRType.RRSIG && _answer.Writer.WithSignatures);
            if (isThere && visited[.._visitedCount].Contains(name.Hash)) return;
            alias = StepAcross(in name, nameOffset, ref versions, out node, out skip);
            if (alias == AliasKind.None) return;
        }
    }

    /// <summary>Looks up the target of an alias in any served zone, as <see cref="Step"/>.</summary>
    private AliasKind StepAcross(
        scoped ref readonly LookupName name, int nameOffset, scoped ref ZoneVersions versions, out ZoneNode node,
        out int skip)
    {
        node = default;
        skip = 0;
        ZoneSlot? zoneSlot = ZoneChoice.Find(_answer.Zones, in name, Query.Type, out int apexSkip);
        if (zoneSlot != _answer.ZoneSlot) _answer.IsUncacheable = true;
        if (Leaves(in name, ZoneChoice.LabelsOf(zoneSlot, in name, Query.Type, apexSkip))) return AliasKind.None;
        // A client without access to a zone is refused its records through an alias too. Access is checked once an
        // answer, so that a concurrent change of the list cannot split it.
        if (zoneSlot is not null && zoneSlot != _answer.ZoneSlot && !zoneSlot.Admits(ref _answer.Client))
        {
            if (TSteps.IsTraced) _answer.Steps.OnDenied(in name, zoneSlot);
            return AliasKind.None;
        }
        if (zoneSlot is null || versions.Of(zoneSlot, zoneSlot.Zone) is not { } zone)
        {
            if (TSteps.IsTraced) _answer.Steps.OnNoZone(in name, zoneSlot);
            return AliasKind.None;
        }
        _answer.Writer.Online = null;
        return Step(zoneSlot, zone, in name, apexSkip, nameOffset, out node, out skip);
    }

    private static bool Shortens(scoped ZoneNode node) =>
        node.TryFind(RRType.DNAME, out RRset dname) && dname.First.Length < node.Name.Length;

    /// <summary>Writes the CNAME of a node. Returns the length of its target; 0 if it does not fit.</summary>
    private int WriteAlias(scoped ZoneNode node, int nameOffset, scoped Span<byte> target)
    {
        node.TryFind(RRType.CNAME, out RRset cname);
        if (!_answer.Writer.TryWrite(Section.Answer, nameOffset, node, cname, cname.Ttl))
        {
            _answer.IsTruncated = true;
            return 0;
        }
        cname.First.CopyTo(target);
        return cname.First.Length;
    }

    /// <summary>
    /// Writes a DNAME, unless the answer has it already, and the CNAME synthesised from it (RFC 6672 §2.2, §3.1).
    /// Returns the length of the new name; 0 if it is too long (YXDOMAIN) or does not fit.
    /// </summary>
    private int Redirect(
        scoped ZoneNode node, bool isAgain, int skip, scoped ref readonly LookupName name, int nameOffset,
        scoped Span<byte> target)
    {
        _answer.IsUncacheable = true;
        node.TryFind(RRType.DNAME, out RRset dname);
        int offset = _answer.OffsetOfSuffix(in name, skip, nameOffset);
        if (!isAgain && !_answer.Writer.TryWrite(Section.Answer, offset, node, dname, dname.Ttl))
        {
            _answer.IsTruncated = true;
            return 0;
        }
        int prefix = name.Start(skip);
        int length = prefix + dname.First.Length;
        if (length > WireName.MaxOctets)
        {
            _answer.Rcode = Rcode.YXDomain;
            return 0;
        }
        _answer.Writer.CopyOriginalCase(nameOffset, prefix, target);
        dname.First.CopyTo(target[prefix..]);
        if (_answer.Writer.TryWriteSynthesisedCname(nameOffset, dname.Ttl, target[..length])) return length;
        _answer.IsTruncated = true;
        return 0;
    }
}
