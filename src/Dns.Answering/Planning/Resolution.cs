namespace Dns.Answering.Planning;

/// <summary>Bounds of a <see cref="Resolution{TSteps}"/>.</summary>
internal static class Resolution
{
    /// <summary>The maximum number of aliases that an answer follows; the client continues from there.</summary>
    internal const int MaxAliases = 16;

    /// <summary>The maximum number of visited name hashes: for a DNAME its own and that of the name above it.</summary>
    internal const int MaxVisited = 2 * MaxAliases;
}

/// <summary>
/// Answers one question from the served zones: RFC 1034 §4.3.2 with wildcards (RFC 4592), DNAME (RFC 6672) and minimal
/// sections. Follows aliases across zones, a bounded number of times.
/// </summary>
/// <remarks>Lives on the stack. Allocates nothing, takes no lock, never throws.</remarks>
internal ref partial struct Resolution<TSteps>
    where TSteps : struct, IAnswerSteps
{
    private readonly ZoneSet _zones;
    private readonly ref Query _query;
    private readonly ref ClientAddress _client;
    private readonly Worker _worker;
    private readonly ResponderOptions _options;
    private readonly View _view;
    private readonly bool _isReliable;
    private readonly bool _useCachedAnswers;
    private readonly IForwardedZones? _forwarded;
    private readonly ref LookupName _elsewhere;
    private readonly Span<ulong> _visited;
    private readonly TSteps _steps;
    private ResponseWriter _writer;
    private ZoneSlot? _zoneSlot;
    private int _aliasCount;
    private int _visitedCount;

    /// <summary>Whether a proof of denial is pending.</summary>
    private bool _hasProofs;

    /// <summary>Whether records depend on more than the cache key: another zone, the question's letter case.</summary>
    private bool _isUncacheable;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Resolution(
        scoped ref QueryContext context, ref NameCompressor names, int reservedOctets, ResponderOptions options,
        TSteps steps)
    {
        _zones = context.Zones;
        _query = ref context.Query;
        _client = ref context.Client;
        _worker = context.Worker;
        _options = options;
        _steps = steps;
        _view = context.View;
        if (TSteps.HasChoice) _worker.HasChosen = false;
        _isReliable = context.Transport.IsReliable;
        int rotation = options.RotateRRsets ? MessageHeader.Id(context.Message) : 0;
        _writer =
            new ResponseWriter(context.Message, context.Limit - reservedOctets, in context.Query, ref names, rotation);
        // Not for streams: pool threads come and go, and few clients query referrals over TCP.
        _useCachedAnswers = options.UseCachedOctets && !options.RotateRRsets && !_isReliable && !TSteps.IsTraced;
    }

    /// <summary>A resolution that may continue at forwarded names.</summary>
    internal Resolution(
        scoped ref QueryContext context, ref NameCompressor names, int reservedOctets, ResponderOptions options,
        TSteps steps, IForwardedZones forwarded, ref LookupName elsewhere, Span<ulong> visited)
        : this(ref context, ref names, reservedOctets, options, steps)
    {
        _forwarded = forwarded;
        _visited = visited;
        _elsewhere = ref elsewhere;
    }

    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    internal readonly ref readonly ResponseWriter Writer => ref _writer;

    internal Rcode Rcode { get; private set; }

    /// <summary>Whether the first name is answered authoritatively by a served zone (AA).</summary>
    internal bool IsAuthoritative { get; private set; }

    /// <summary>Whether something mandatory did not fit (TC).</summary>
    internal bool IsTruncated { get; private set; }

    internal ExtendedErrorCode? Error { get; private set; }

    /// <summary>Whether the answer continues at a forwarded name.</summary>
    internal bool ContinuesElsewhere { get; private set; }

    /// <summary>The zone of the first name; null if none is served or it has no data.</summary>
    internal Zone? Zone { get; private set; }

    /// <summary>Answers the question: writes the sections and sets the properties above.</summary>
    /// <param name="zoneSlot">The zone found for the question's name; null if none.</param>
    /// <param name="apexSkip">Labels of the name in front of the zone's name.</param>
    internal void Resolve(ZoneSlot? zoneSlot, int apexSkip)
    {
        if (zoneSlot is not null && !zoneSlot.Admits(ref _client))
        {
            if (TSteps.IsTraced) _steps.OnDenied(in _query.Name, zoneSlot);
            Rcode = Rcode.Refused;
            Error = ExtendedErrorCode.Prohibited;
            return;
        }
        if (zoneSlot?.Zone is not { } zone)
        {
            if (TSteps.IsTraced) _steps.OnNoZone(in _query.Name, zoneSlot);
            Rcode = zoneSlot is null ? Rcode.Refused : Rcode.ServFail;
            Error = zoneSlot is null ? ExtendedErrorCode.NotAuthoritative
                : zoneSlot.State == ZoneState.Loading ? ExtendedErrorCode.NotReady : ExtendedErrorCode.InvalidData;
            return;
        }
        Zone = zone;
        _zoneSlot = zoneSlot;
        IsAuthoritative = true;
        AliasKind alias =
            Step(zoneSlot, zone, in _query.Name, apexSkip, MessageHeader.LengthOctets, out ZoneNode node, out int skip);
        if (alias != AliasKind.None) WriteAliases(zone, alias, node, skip);
        if (_hasProofs && !ContinuesElsewhere) WriteProofsSlow();
    }

    /// <summary>Looks up one name and writes what its zone has, unless the node is an alias to follow.</summary>
    /// <param name="skip">Labels in front of the node.</param>
    private AliasKind Step(
        ZoneSlot zoneSlot, Zone zone, scoped ref readonly LookupName name, int apexSkip, int nameOffset,
        out ZoneNode node, out int skip)
    {
        LookupResult found = zone.Lookup(in name, apexSkip, _query.Type);
        if (TSteps.IsTraced) _steps.OnLookup(in name, zoneSlot, zone, found);
        node = found.Node;
        skip = found.SkippedLabels;
        _writer.WithSignatures = _query.Edns.DnssecOk && zone.IsSigned;
        if (_writer.WithSignatures && zone.OnlineSigner is { } signer) BeginOnline(signer);
        if (nameOffset == MessageHeader.LengthOctets)
            _query.LimitSkip = (byte)(found.Outcome == LookupOutcome.NameError ? apexSkip : skip);
        switch (found.Outcome)
        {
            case LookupOutcome.Found:
            case LookupOutcome.Wildcard:
                bool isExact = found.Outcome == LookupOutcome.Found;
                if (node.IsAlias && !IsAnsweredAtAlias(zone, node, _query.Type))
                {
                    if (!isExact && Proves(zone)) ProveExpansion(zone, in name, skip);
                    return AliasKind.Cname;
                }
                WriteData(zone, node, nameOffset, in name, apexSkip, isExact, skip);
                return AliasKind.None;
            case LookupOutcome.Redirection:
                return AliasKind.Dname;
            case LookupOutcome.Delegation:
                if (Leaves(in name, servedLabels: -1)) return AliasKind.None;
                WriteReferral(zone, in name, node, skip, apexSkip, nameOffset);
                return AliasKind.None;
            default:
                Rcode = Rcode.NXDomain;
                if (!Proves(zone) || ProveNameError(zone, in name, skip, apexSkip, nameOffset))
                    WriteNegative(zone, in name, apexSkip, nameOffset);
                return AliasKind.None;
        }
    }

    /// <summary>
    /// Types that are answered at a CNAME's own node: CNAME, ANY, and types that may coexist (RFC 4035 §2.5). With
    /// online signatures every name has an NSEC record, which is made for the answer.
    /// </summary>
    private static bool IsAnsweredAtAlias(Zone zone, scoped ZoneNode node, RRType type) =>
        type is RRType.CNAME or RRType.ANY or RRType.RRSIG ||
            (type == RRType.NSEC && (zone.OnlineSigner is not null || node.TryFind(type, out _)));

    private void WriteData(
        Zone zone, scoped ZoneNode node, int nameOffset, scoped ref readonly LookupName name, int apexSkip,
        bool isExact, int skip)
    {
        RRType type = _query.Type;
        if (type is RRType.ANY or RRType.RRSIG)
        {
            if (!WriteMany(node, nameOffset, type))
                WriteNoData(zone, node, in name, apexSkip, nameOffset, isExact, skip);
            else if (!isExact && Proves(zone)) ProveExpansion(zone, in name, skip);
            return;
        }
        if (!node.TryFind(type, out RRset rrset) || !TryChoose(node, ref rrset, isAdditional: false))
        {
            WriteNoData(zone, node, in name, apexSkip, nameOffset, isExact, skip);
            return;
        }
        if (!isExact && Proves(zone)) ProveExpansion(zone, in name, skip);
        if (rrset.NamesHosts || Rdata.HasCompressibleNames(type))
            WriteNaming(zone, node, rrset, nameOffset, in name, isExact);
        else if (!_writer.TryWrite(Section.Answer, nameOffset, node, rrset, rrset.Ttl)) IsTruncated = true;
    }

    private void WriteNoData(
        Zone zone, scoped ZoneNode node, scoped ref readonly LookupName name, int apexSkip, int nameOffset,
        bool isExact, int skip)
    {
        if (Proves(zone) && !ProveNoData(zone, node, in name, apexSkip, isExact, skip, nameOffset)) return;
        WriteNegative(zone, in name, apexSkip, nameOffset);
    }

    /// <summary>Writes an RRset whose records hold names, and the addresses of those that are hosts.</summary>
    private void WriteNaming(
        Zone zone, scoped ZoneNode node, scoped RRset rrset, int nameOffset, scoped ref readonly LookupName name,
        bool isExact)
    {
        bool isWanted = false;
        // Excluded are wildcards, whose answer has the question's name, and aliases, which have more records.
        bool mayBeCached = _useCachedAnswers && isExact && nameOffset == MessageHeader.LengthOctets;
        // The set of zones decides in which zone a host is.
        if (mayBeCached && TryWriteCached(zone, in name, 0, rrset.Type, out isWanted, _zones.Snapshot)) return;
        if (!_writer.TryWrite(Section.Answer, nameOffset, node, rrset, rrset.Ttl)) IsTruncated = true;
        WriteProofs();
        if (!IsTruncated && rrset.NamesHosts) WriteAdditional(zone, rrset);
        if (isWanted && !_isUncacheable) AddToCache(zone, in name, 0, rrset.Type, _zones.Snapshot);
    }

    /// <summary>Answers ANY and RRSIG, which match several RRsets. False if there is none.</summary>
    private bool WriteMany(scoped ZoneNode node, int nameOffset, RRType type)
    {
        bool any = false;
        foreach (RRset whole in node)
        {
            RRset rrset = whole;
            bool isSignature = rrset.Type == RRType.RRSIG;
            // Signatures are written behind the RRset that they cover, so ANY skips them.
            if (type == RRType.RRSIG ? !isSignature : isSignature && _writer.WithSignatures) continue;
            if (!TryChoose(node, ref rrset, isAdditional: false)) continue;
            any = true;
            if (!_writer.TryWrite(Section.Answer, nameOffset, node, rrset, rrset.Ttl))
            {
                IsTruncated = true;
                return true;
            }
            if (type == RRType.ANY && _options.MinimalAny && !_isReliable && !isSignature) return true;
        }
        return any;
    }

    /// <summary>Writes SOA with the negative TTL (RFC 2308 §3) for NODATA and NXDOMAIN, then the proofs.</summary>
    private void WriteNegative(Zone zone, scoped ref readonly LookupName name, int apexSkip, int nameOffset)
    {
        if (nameOffset == MessageHeader.LengthOctets && _options.UseCachedOctets
            && (_writer.WithSignatures ? zone.SignedNegativeSoa : zone.NegativeSoa) is { } ready &&
            ready.Fits(in name, apexSkip))
        {
            if (!_writer.TryWriteSoa(ready, nameOffset + name.Start(apexSkip))) IsTruncated = true;
            WriteProofs();
            return;
        }
        ZoneNode apex = zone.ApexNode;
        if (!apex.TryFind(RRType.SOA, out RRset soa)) return;
        int owner = OffsetOfSuffix(in name, apexSkip, nameOffset);
        if (!_writer.TryWrite(Section.Authority, owner, apex, soa, zone.NegativeTtl)) IsTruncated = true;
        WriteProofs();
    }

    /// <summary>Where in the message a suffix of the name at an offset starts.</summary>
    private readonly int OffsetOfSuffix(scoped ref readonly LookupName name, int skippedLabels, int nameOffset) =>
        nameOffset == MessageHeader.LengthOctets
            ? nameOffset + name.Start(skippedLabels)
            : _writer.OffsetOfSuffix(nameOffset, skippedLabels);
}
