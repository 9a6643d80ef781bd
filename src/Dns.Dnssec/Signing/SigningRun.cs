namespace Dns.Dnssec.Signing;

/// <summary>One signing of one version: the state that its threads share. Immutable except for its counters.</summary>
internal sealed class SigningRun
{
    private const int SerialFromEnd = 20;
    private const int TimesFromEnd = 16;

    private long _made;
    private long _kept;
    private long _firstDue = long.MaxValue;

    internal SigningRun(
        Zone source, SigningPlan plan, DateTimeOffset now, Zone? previous, bool verifiesPrevious,
        uint? lostSerial = null, bool looksAhead = false)
    {
        (Source, Plan, Now, Previous, VerifiesPrevious) = (source, plan, now, previous, verifiesPrevious);
        Times = new SignatureTimes(plan, now, looksAhead);
        Apex = source.Apex.ToArray();
        uint? last = previous?.Serial;
        if (lostSerial is { } lost && (last is not { } kept || SerialNumber.IsGreater(lost, kept))) last = lost;
        Serial = SerialPolicies.Next(plan.Serial, source.Serial, last, now);
        ApexRecords = new ApexRecords(source, plan, Serial, now);
        KeySigners = [.. plan.KeySigners];
        ZoneSigners = [.. plan.ZoneSigners];
    }

    internal Zone Source { get; }

    internal SigningPlan Plan { get; }

    internal DateTimeOffset Now { get; }

    /// <summary>The previous signed version; its valid signatures are kept.</summary>
    internal Zone? Previous { get; }

    /// <summary>Whether kept signatures are verified first: they came from a file.</summary>
    internal bool VerifiesPrevious { get; }

    internal SignatureTimes Times { get; }

    /// <summary>The zone's name, in lower case.</summary>
    internal byte[] Apex { get; }

    internal uint Serial { get; }

    internal ApexRecords ApexRecords { get; }

    internal SigningKey[] KeySigners { get; }

    internal SigningKey[] ZoneSigners { get; }

    /// <summary>TTL of NSEC and NSEC3 records: that of negative answers (RFC 9077 §3).</summary>
    internal uint DenialTtl => Source.NegativeTtl;

    internal BitmapTable Bitmaps { get; } = new();

    internal long SignaturesMade => Interlocked.Read(ref _made);

    internal long SignaturesKept => Interlocked.Read(ref _kept);

    /// <summary>When the first of the made or kept signatures is due; null if none.</summary>
    internal DateTimeOffset? FirstDue =>
        Interlocked.Read(ref _firstDue) is < long.MaxValue and var due ? DateTimeOffset.FromUnixTimeSeconds(due) : null;

    /// <summary>Whether a version has the source's SOA, whose serial is not greater, with valid signatures.</summary>
    internal bool IsCurrent(Zone signed)
    {
        ZoneNode old = signed.ApexNode;
        if (!old.TryFind(RRType.SOA, out RRset before) || !Source.ApexNode.TryFind(RRType.SOA, out RRset soa))
            return false;
        if (before.Ttl != soa.Ttl || SerialNumber.IsGreater(Source.Serial, signed.Serial)) return false;
        if (!before.First[..^SerialFromEnd].SequenceEqual(soa.First[..^SerialFromEnd])) return false;
        if (!before.First[^TimesFromEnd..].SequenceEqual(soa.First[^TimesFromEnd..])) return false;
        if (!old.TryFindSignatures(RRType.SOA, out RRset signatures)) return false;
        foreach (ReadOnlySpan<byte> rdata in signatures)
            if (!RrsigFields.TryRead(rdata, out RrsigFields fields) || !Times.IsGood(fields)) return false;
        return true;
    }

    /// <summary>Adds the counts of a thread.</summary>
    internal void Count(long made, long kept, long firstDue)
    {
        Interlocked.Add(ref _made, made);
        Interlocked.Add(ref _kept, kept);
        for (long seen = Interlocked.Read(ref _firstDue); firstDue < seen;)
        {
            long found = Interlocked.CompareExchange(ref _firstDue, firstDue, seen);
            if (found == seen) return;
            seen = found;
        }
    }
}
