namespace Dns.Answering.Planning;

/// <summary>Answers from the served zones, and the bounds of a <see cref="Resolution{TSteps}"/>.</summary>
internal static class Resolution
{
    /// <summary>The maximum number of aliases that an answer follows; the client continues from there.</summary>
    internal const int MaxAliases = 16;

    /// <summary>The maximum number of visited name hashes: for a DNAME its own and that of the name above it.</summary>
    internal const int MaxVisited = 2 * MaxAliases;

    /// <summary>Answers from the served zones alone.</summary>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal static ReplyOutcome Answer<TSteps>(scoped ref QueryContext context, TSteps steps)
        where TSteps : struct, IAnswerSteps
    {
        Unsafe.SkipInit(out NameCompressor names);
        Resolution<TSteps> resolution = default;
        resolution.Begin(ref context, ref names, steps);
        resolution.Resolve(context.ZoneSlot, context.ApexSkip);
        return resolution.Finish(ref context);
    }
}

/// <summary>
/// Answers one question from the served zones: RFC 1034 §4.3.2 with wildcards (RFC 4592), DNAME (RFC 6672) and minimal
/// sections. Follows aliases across zones, a bounded number of times.
/// </summary>
/// <remarks>Lives on the stack. Allocates nothing, takes no lock, never throws.</remarks>
internal ref partial struct Resolution<TSteps>
    where TSteps : struct, IAnswerSteps
{
    private IForwardedZones? _forwarded;
    private ref LookupName _elsewhere;
    private Span<ulong> _visited;
    private AnswerSections<TSteps> _answer;
    private int _aliasCount;
    private int _visitedCount;

    /// <summary>Begins in place: a constructor's result would be copied.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Begin(scoped ref QueryContext context, scoped ref NameCompressor names, TSteps steps) =>
        _answer.Begin(ref context, ref names, steps);

    /// <summary>Permits the answer to continue at forwarded names.</summary>
    /// <param name="elsewhere">Receives such a name.</param>
    /// <param name="visited">Room for <see cref="Resolution.MaxVisited"/> hashes.</param>
    internal void Follow(IForwardedZones forwarded, scoped ref LookupName elsewhere, scoped Span<ulong> visited)
    {
        _forwarded = forwarded;
        _visited = Unscoped.Of(visited);
        _elsewhere = ref Unscoped.Of(in elsewhere);
    }

    private readonly ref Query Query => ref _answer.Query;

    /// <summary>Whether the answer continues at a forwarded name.</summary>
    internal bool ContinuesElsewhere { get; private set; }

    /// <summary>Completes the reply.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ReplyOutcome Finish(scoped ref QueryContext context) => _answer.Finish(ref context);

    /// <summary>Answers the question: writes the sections.</summary>
    /// <param name="zoneSlot">The zone found for the question's name; null if none.</param>
    /// <param name="apexSkip">Labels of the name in front of the zone's name.</param>
    internal void Resolve(ZoneSlot? zoneSlot, int apexSkip)
    {
        if (zoneSlot is not null && !zoneSlot.Admits(ref _answer.Client))
        {
            if (TSteps.IsTraced) _answer.Steps.OnDenied(in Query.Name, zoneSlot);
            _answer.Rcode = Rcode.Refused;
            _answer.Error = ExtendedErrorCode.Prohibited;
            return;
        }
        if (zoneSlot?.Zone is not { } zone)
        {
            if (TSteps.IsTraced) _answer.Steps.OnNoZone(in Query.Name, zoneSlot);
            _answer.Rcode = zoneSlot is null ? Rcode.Refused : Rcode.ServFail;
            _answer.Error = zoneSlot is null ? ExtendedErrorCode.NotAuthoritative
                : zoneSlot.State == ZoneState.Loading ? ExtendedErrorCode.NotReady : ExtendedErrorCode.InvalidData;
            return;
        }
        _answer.Zone = zone;
        _answer.ZoneSlot = zoneSlot;
        _answer.IsAuthoritative = true;
        AliasKind alias = Step(
            zoneSlot, zone, in Query.Name, apexSkip, MessageHeader.LengthOctets, out ZoneNode node, out int skip);
        if (alias != AliasKind.None) WriteAliases(zone, alias, node, skip);
        if (!ContinuesElsewhere) _answer.WriteProofs();
    }

    /// <summary>Looks up one name and writes what its zone has, unless the node is an alias to follow.</summary>
    /// <param name="skip">Labels in front of the node.</param>
    private AliasKind Step(
        ZoneSlot zoneSlot, Zone zone, scoped ref readonly LookupName name, int apexSkip, int nameOffset,
        out ZoneNode node, out int skip)
    {
        LookupResult found = zone.Lookup(in name, apexSkip, Query.Type);
        if (TSteps.IsTraced) _answer.Steps.OnLookup(in name, zoneSlot, zone, found);
        node = found.Node;
        skip = found.SkippedLabels;
        FoundName at = new(zone, in Unscoped.Of(in name), nameOffset, apexSkip, found);
        if (at.IsQuestion)
            Query.LimitSkip = (byte)(found.Outcome == LookupOutcome.NameError ? apexSkip : skip);
        _answer.Enter(zone);
        switch (found.Outcome)
        {
            case LookupOutcome.Found:
            case LookupOutcome.Wildcard:
                if (node.IsAlias && !IsAnsweredAtAlias(zone, node, Query.Type))
                {
                    _answer.ProveExpansion(in at);
                    return AliasKind.Cname;
                }
                _answer.WriteData(in at);
                return AliasKind.None;
            case LookupOutcome.Redirection:
                return AliasKind.Dname;
            case LookupOutcome.Delegation:
                if (!Leaves(in name, servedLabels: -1)) _answer.WriteReferral(in at);
                return AliasKind.None;
            default:
                _answer.WriteNameError(in at);
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
}
