namespace Dns.Dnssec.Signing;

/// <summary>
/// Makes signed versions of a zone. A pure function of source, plan, previous version and time, except for random
/// signatures; without state between calls. Several zones may be signed at once, each by one caller at a time.
/// </summary>
/// <remarks>
/// The signed version has the records of the source except RRSIG, NSEC, NSEC3, NSEC3PARAM and ZONEMD, which are made
/// here; for DNSKEY, CDS and CDNSKEY see <see cref="ApexRecords"/>. NS of delegations and names below them are not
/// signed (RFC 4035 §2.2).
/// </remarks>
public static class ZoneSigner
{
    // Above this, visiting all names in order is cheaper.
    private const int LeastAffected = 2000;
    private const int MostAffectedPart = 8;
    private const int MostDifferencePart = 4;

    /// <summary>Signs a whole zone, on several threads.</summary>
    /// <param name="source">The unsigned version, or a signed one to renew.</param>
    /// <param name="options">Threads, progress, and the previous version; null = defaults.</param>
    /// <param name="cancellation">Cancels within some milliseconds.</param>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static SigningResult SignWhole(
        Zone source, SigningPlan plan, DateTimeOffset now, SigningOptions? options = null,
        CancellationToken cancellation = default)
    {
        options ??= new SigningOptions();
        if (FindFault(source, plan) is { } fault) return new SigningResult { Error = fault };
        SigningRun run = new(source, plan, now, options.Previous, options.VerifiesPrevious, options.LostSerial);
        try
        {
            WholeSigning whole = new(run, options, cancellation);
            Zone signed = whole.Run();
            signed = ZonemdRecord.Add(run, signed, null, options.Limits, cancellation, out _);
            SigningResult result = Finish(run, signed, isNewVersion: options.LostSerial is not null);
            // Otherwise the first change or refresh would create it.
            _ = result.Zone!.Order;
            return result;
        }
        catch (SigningException failure)
        {
            return new SigningResult { Error = failure.Message };
        }
    }

    /// <summary>Signs the effects of a change; the whole zone if the plan changed.</summary>
    /// <param name="previousSigned">The signed version of the source before the change.</param>
    /// <param name="unsignedBefore">The source before the change; null = unknown.</param>
    /// <param name="unsignedNow">The source after it; the same if only the plan changed.</param>
    /// <param name="unsignedDelta">The delta between them; null = unknown.</param>
    /// <param name="options">Threads and progress of a whole signing, and limits.</param>
    /// <param name="cancellation">Cancels a whole signing.</param>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static SigningResult Sign(
        Zone previousSigned, Zone? unsignedBefore, Zone unsignedNow, ZoneDelta? unsignedDelta, SigningPlan plan,
        DateTimeOffset now, SigningOptions? options = null, CancellationToken cancellation = default)
    {
        options = (options ?? new SigningOptions()) with { Previous = previousSigned };
        if (FindFault(unsignedNow, plan) is { } fault) return new SigningResult { Error = fault };
        int most = options.MostNames ?? LeastAffected + unsignedNow.NameCount / MostAffectedPart;
        if (unsignedDelta is null && unsignedBefore is not null)
            ZoneDelta.TryFindBetween(unsignedBefore, unsignedNow, most, out unsignedDelta);
        AffectedNames affected = new(unsignedNow, previousSigned, most, plan.Denial.IsHashed);
        if (unsignedDelta is null || !PlanMatch.Fits(previousSigned, plan, unsignedNow.NegativeTtl) ||
            !affected.TryFind(unsignedDelta))
            return options.MostNames is null ? SignWhole(unsignedNow, plan, now, options, cancellation)
                : new SigningResult { Error = $"the change affects more than {most:N0} names" };
        SigningRun run = new(unsignedNow, plan, now, previousSigned, verifiesPrevious: false, options.LostSerial);
        try
        {
            IncrementalSigning signing = new(run);
            ZoneDelta? delta = signing.Run(affected.Names, HasSoa(unsignedDelta));
            return Apply(run, delta, options, cancellation);
        }
        catch (SigningException failure)
        {
            return new SigningResult { Error = failure.Message };
        }
    }

    /// <summary>
    /// Renews due signatures, a bounded number at a time, including those due within a thirty-second part of the
    /// refresh time: rounds are that far apart.
    /// </summary>
    /// <param name="budget">About how many signatures to make, at least 1.</param>
    /// <param name="round">The position, kept by the caller between steps; a new round begins at the apex.</param>
    /// <returns>
    /// The next version, or the same. <see cref="SigningResult.IsRoundComplete"/> says whether the end of the zone was
    /// reached; <see cref="SigningResult.NextRefresh"/> then is the first moment at which a signature will be due.
    /// </returns>
    public static SigningResult Refresh(
        Zone previousSigned, SigningPlan plan, DateTimeOffset now, int budget, RefreshRound round,
        SigningOptions? options = null)
    {
        if (FindFault(previousSigned, plan) is { } fault) return new SigningResult { Error = fault };
        SigningRun run = new(previousSigned, plan, now, previousSigned, verifiesPrevious: false, looksAhead: true);
        try
        {
            ZoneDelta? delta = new SignatureRefresh(run, round).Step(budget);
            SigningResult result = Apply(run, delta, options ?? new SigningOptions(), default);
            if (run.FirstDue is { } made) round.FirstDue = Math.Min(round.FirstDue, made.ToUnixTimeSeconds());
            DateTimeOffset? next =
                round.FirstDue == long.MaxValue ? null : DateTimeOffset.FromUnixTimeSeconds(round.FirstDue);
            return result with { IsRoundComplete = !round.IsUnderWay, NextRefresh = next };
        }
        catch (SigningException failure)
        {
            return new SigningResult { Error = failure.Message };
        }
    }

    private static SigningResult Apply(
        SigningRun run, ZoneDelta? delta, SigningOptions options, CancellationToken cancellation)
    {
        Zone previous = run.Previous!;
        if (delta is null) return Result(run, previous, null);
        ZoneEditResult edit = ZoneEditor.From(previous, SignedLimits.Of(options.Limits)).Apply(delta);
        if (!edit.IsApplied) throw new SigningException(edit.Error.Message);
        Zone signed = ZonemdRecord.Add(run, edit.Zone, delta, options.Limits, cancellation, out delta);
        return Result(run, signed, delta);
    }

    /// <summary>The result of a whole signing: the previous version if nothing but the serial differs.</summary>
    private static SigningResult Finish(SigningRun run, Zone signed, bool isNewVersion)
    {
        if (run.Previous is not { } previous) return Result(run, signed, null);
        long most = Math.Max(LeastAffected, previous.RecordCount / MostDifferencePart);
        if (!ZoneDelta.TryFindBetween(previous, signed, most, out ZoneDelta? delta)) return Result(run, signed, null);
        if (isNewVersion || !ChangesOnlySerial(delta) || !run.IsCurrent(previous)) return Result(run, signed, delta);
        // The new signature of the SOA is thrown away with the SOA.
        return Result(run, previous, null) with { SignaturesMade = 0 };
    }

    private static SigningResult Result(SigningRun run, Zone signed, ZoneDelta? delta) =>
        new()
        {
            Zone = signed,
            Delta = delta,
            SignaturesMade = run.SignaturesMade,
            SignaturesKept = run.SignaturesKept,
            NextRefresh = run.FirstDue,
        };

    /// <summary>Whether a delta changes only the serial and what depends on it: SOA signature and ZONEMD.</summary>
    private static bool ChangesOnlySerial(ZoneDelta delta) =>
        IsOfSerial(delta.Removed, delta.Zone) && IsOfSerial(delta.Added, delta.Zone);

    private static bool IsOfSerial(RecordList records, DomainName apex)
    {
        foreach (RecordList.ListedRecord record in records)
        {
            RRType type = record.Type == RRType.RRSIG ? (RRType)(record.Rdata[0] << 8 | record.Rdata[1]) : record.Type;
            if (type is not (RRType.SOA or RRType.ZONEMD) || record.Owner.Length != apex.Octets.Length) return false;
        }
        return true;
    }

    private static bool HasSoa(ZoneDelta delta)
    {
        foreach (RecordList.ListedRecord record in delta.Added)
            if (record.Type == RRType.SOA) return true;
        return false;
    }

    private static string? FindFault(Zone source, SigningPlan plan)
    {
        if (!source.ApexNode.TryFind(RRType.SOA, out _)) return "found no SOA, expected a zone with one";
        if (plan.Denial.IsHashed && source.Apex.Length + DenialRdata.LabelOctets + 1 > WireName.MaxOctets)
            return $"found {NameText.ToText(source.Apex)}, which is too long for NSEC3, expected at most 222 octets";
        return plan.FindFault();
    }
}
