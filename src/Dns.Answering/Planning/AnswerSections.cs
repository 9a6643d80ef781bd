namespace Dns.Answering.Planning;

/// <summary>
/// The sections of an answer while they are written: data of a zone for a name, denial, referrals, with signatures,
/// proofs and additional records. Holds what the reply says as a whole.
/// </summary>
/// <remarks>Lives on the stack. Allocates nothing, takes no lock, never throws.</remarks>
internal ref partial struct AnswerSections<TSteps>
    where TSteps : struct, IAnswerSteps
{
    internal ZoneSet Zones;
    internal ref Query Query;
    internal ref ClientAddress Client;
    internal Worker Worker;
    internal TSteps Steps;
    internal ResponseWriter Writer;
    private ResponderOptions _options;
    private View _view;
    private bool _isReliable;
    private bool _usesCache;

    /// <summary>The zone of the first name; null before it is found.</summary>
    internal ZoneSlot? ZoneSlot;

    /// <summary>The version of that zone that answers; null if none does.</summary>
    internal Zone? Zone;

    internal ExtendedErrorCode? Error;

    internal Rcode Rcode;

    /// <summary>Whether the first name is answered authoritatively by a served zone (AA).</summary>
    internal bool IsAuthoritative;

    /// <summary>Whether something mandatory did not fit (TC).</summary>
    internal bool IsTruncated;

    /// <summary>Whether a proof of denial is pending.</summary>
    internal bool HasProofs;

    /// <summary>Whether records depend on more than the cache key: another zone, the question's letter case.</summary>
    internal bool IsUncacheable;

    /// <summary>Begins an answer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Begin(scoped ref QueryContext context, scoped ref NameCompressor names, TSteps steps)
    {
        ResponderOptions options = context.Options;
        Zones = context.Zones;
        Query = ref context.Query;
        Client = ref context.Client;
        Worker = context.Worker;
        Steps = steps;
        _options = options;
        _view = context.View;
        if (TSteps.HasChoice) Worker.HasChosen = false;
        _isReliable = context.Transport.IsReliable;
        Writer.Begin(ref context, ref names, options.RotateRRsets ? MessageHeader.Id(context.Message) : 0);
        // Not for streams: pool threads come and go, and few clients query referrals over TCP.
        _usesCache = options.UseCachedOctets && !options.RotateRRsets && !_isReliable && !TSteps.IsTraced;
    }

    /// <summary>Completes the reply.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ReplyOutcome Finish(scoped ref QueryContext context)
    {
        // There is no larger transport to fall back to.
        if (IsTruncated && _isReliable) return ReplyEnd.FinishEmpty(ref context, Rcode.ServFail);
        context.Zone = Zone;
        context.Error = Error;
        int flags = (IsAuthoritative ? MessageHeader.AuthoritativeAnswer : 0)
            | (IsTruncated ? MessageHeader.Truncated : 0);
        return ReplyEnd.Finish(ref context, Writer.Position, Rcode, flags, Writer.Counts);
    }

    /// <summary>Begins with a name of a zone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Enter(Zone zone)
    {
        Writer.WithSignatures = Query.Edns.DnssecOk && zone.IsSigned;
        if (Writer.WithSignatures && zone.OnlineSigner is { } signer) BeginOnline(signer);
    }

    /// <summary>Writes the data of a node, or denies the type.</summary>
    internal void WriteData(scoped in FoundName at)
    {
        RRType type = Query.Type;
        if (type is RRType.ANY or RRType.RRSIG)
        {
            if (WriteMany(in at, type)) ProveExpansion(in at);
            else WriteNoData(in at);
            return;
        }
        if (!at.Node.TryFind(type, out RRset rrset) || !TryChoose(at.Node, ref rrset, isAdditional: false))
        {
            WriteNoData(in at);
            return;
        }
        ProveExpansion(in at);
        if (rrset.NamesHosts || Rdata.HasCompressibleNames(type)) WriteNaming(in at, rrset);
        else if (!Writer.TryWrite(Section.Answer, at.Offset, at.Node, rrset, rrset.Ttl)) IsTruncated = true;
    }

    /// <summary>Writes an RRset whose records hold names, and the addresses of those that are hosts.</summary>
    private void WriteNaming(scoped in FoundName at, scoped RRset rrset)
    {
        bool isWanted = false;
        // Excluded are wildcards, whose answer has the question's name, and aliases, which have more records.
        // The set of zones decides in which zone a host is.
        if (at is { IsExact: true, IsQuestion: true }
            && TryWriteCached(at.Zone, in at.Name, 0, rrset.Type, out isWanted, Zones.Snapshot)) return;
        if (!Writer.TryWrite(Section.Answer, at.Offset, at.Node, rrset, rrset.Ttl)) IsTruncated = true;
        WriteProofs();
        if (!IsTruncated && rrset.NamesHosts) WriteAdditional(at.Zone, rrset);
        if (isWanted) AddToCache(at.Zone, in at.Name, 0, rrset.Type, Zones.Snapshot);
    }

    /// <summary>Answers ANY and RRSIG, which match several RRsets. False if there is none.</summary>
    private bool WriteMany(scoped in FoundName at, RRType type)
    {
        bool any = false;
        foreach (RRset whole in at.Node)
        {
            RRset rrset = whole;
            bool isSignature = rrset.Type == RRType.RRSIG;
            // Signatures are written behind the RRset that they cover, so ANY skips them.
            if (type == RRType.RRSIG ? !isSignature : isSignature && Writer.WithSignatures) continue;
            if (!TryChoose(at.Node, ref rrset, isAdditional: false)) continue;
            any = true;
            if (!Writer.TryWrite(Section.Answer, at.Offset, at.Node, rrset, rrset.Ttl))
            {
                IsTruncated = true;
                return true;
            }
            if (type == RRType.ANY && _options.MinimalAny && !_isReliable && !isSignature) return true;
        }
        return any;
    }

    /// <summary>Writes that the name does not exist.</summary>
    internal void WriteNameError(scoped in FoundName at)
    {
        Rcode = Rcode.NXDomain;
        if (!Proves(at.Zone) || ProveNameError(in at)) WriteNegative(in at);
    }

    private void WriteNoData(scoped in FoundName at)
    {
        if (!Proves(at.Zone) || ProveNoData(in at, isAnswer: true)) WriteNegative(in at);
    }

    /// <summary>Writes SOA with the negative TTL (RFC 2308 §3) for NODATA and NXDOMAIN, then the proofs.</summary>
    private void WriteNegative(scoped in FoundName at)
    {
        Zone zone = at.Zone;
        if (at.IsQuestion && _options.UseCachedOctets
            && (Writer.WithSignatures ? zone.SignedNegativeSoa : zone.NegativeSoa) is { } ready
            && ready.Fits(in at.Name, at.ApexSkip))
        {
            if (!Writer.TryWriteSoa(ready, at.Offset + at.Name.Start(at.ApexSkip))) IsTruncated = true;
            WriteProofs();
            return;
        }
        ZoneNode apex = zone.ApexNode;
        if (!apex.TryFind(RRType.SOA, out RRset soa)) return;
        int owner = OffsetOfSuffix(in at.Name, at.ApexSkip, at.Offset);
        if (!Writer.TryWrite(Section.Authority, owner, apex, soa, zone.NegativeTtl)) IsTruncated = true;
        WriteProofs();
    }

    /// <summary>Where in the message a suffix of the name at an offset starts.</summary>
    internal readonly int OffsetOfSuffix(scoped ref readonly LookupName name, int skippedLabels, int nameOffset) =>
        nameOffset == MessageHeader.LengthOctets
            ? nameOffset + name.Start(skippedLabels)
            : Writer.OffsetOfSuffix(nameOffset, skippedLabels);

    /// <summary>Writes the records of a cached answer; must be the first records.</summary>
    /// <param name="skip">Its labels in front of the node that answers.</param>
    /// <param name="type">The queried type; 0 for a referral.</param>
    /// <param name="isWanted">On a miss: whether to cache the records that are encoded now.</param>
    /// <param name="zones">The set of zones, if the answer depends on it; 0 for a referral.</param>
    internal bool TryWriteCached(
        Zone zone, scoped ref readonly LookupName name, int skip, RRType type, out bool isWanted, long zones = 0)
    {
        isWanted = false;
        if (!_usesCache) return false;
        CachedAnswerKey key = KeyOf(zone, in name, skip, type, zones);
        return Worker.CachedAnswers.TryFind(in key, out CachedAnswer answer, out isWanted)
            && answer.Fits(in name, skip) && Writer.TryWriteCached(answer, name.Start(skip));
    }

    /// <summary>Caches the written records, if they are complete and the same for every such question.</summary>
    internal void AddToCache(Zone zone, scoped ref readonly LookupName name, int skip, RRType type, long zones = 0)
    {
        if (IsUncacheable || Writer.HasOmitted || TSteps.HasChoice && Worker.HasChosen) return;
        CachedAnswerKey key = KeyOf(zone, in name, skip, type, zones);
        Worker.CachedAnswers.Add(in key, Writer.Written, Query.QuestionEnd, Writer.Counts, in name, skip);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly CachedAnswerKey KeyOf(
        Zone zone, ref readonly LookupName name, int skip, RRType type, long zones) =>
        new(zone.Snapshot, zones, name.Suffix(skip), name.SuffixHash(skip), type, Query.Edns.DnssecOk, _view.Number,
            TSteps.HasChoice);

    /// <summary>Replaces an RRset of a marked name by its chosen members.</summary>
    /// <returns>False if no member is chosen: nothing is written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly bool TryChoose(scoped ZoneNode node, ref RRset rrset, bool isAdditional) =>
        !TSteps.HasChoice || !node.IsChosen || TryChooseMembers(node, ref rrset, isAdditional);

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private readonly bool TryChooseMembers(scoped ZoneNode node, ref RRset rrset, bool isAdditional)
    {
        // The next query may get other members.
        Worker.HasChosen = true;
        // The mark is for the step alone.
        if (rrset.Type == ChoiceMark.Type) return false;
        // Signatures are over the whole RRset.
        if (Writer.WithSignatures || rrset.Type == RRType.RRSIG) return true;
        Span<ushort> members = stackalloc ushort[Choice.MaxMembers];
        Choice choice = new(members, rrset.Ttl);
        ChoiceQuery query = new(ref Client, _view, isAdditional, Worker.NextRandom());
        if (!Steps.TryChoose(in query, node, rrset, ref choice)) return true;
        if (choice.Members.IsEmpty) return false;
        uint ttl = Math.Min(choice.Ttl, rrset.Ttl);
        // Members longer than a message do not fit anyway.
        if (rrset.TryCopy(choice.Members, ttl, Worker.Members(isAdditional), out RRset chosen)) rrset = chosen;
        return true;
    }
}
