namespace Dns.Dnssec.Signing;

/// <summary>Where the next step of a refresh round continues, in the then current version. One for each zone.</summary>
public sealed class RefreshRound
{
    internal byte[]? Next { get; set; }

    /// <summary>The earliest due signature that this round has seen; seconds since 1970.</summary>
    internal long FirstDue { get; set; } = long.MaxValue;

    /// <summary>Whether a started round has steps left.</summary>
    public bool IsUnderWay => Next is not null;
}

/// <summary>Renews due signatures: a bounded number, in a bounded number of names.</summary>
internal sealed class SignatureRefresh(SigningRun run, RefreshRound round)
{
    /// <summary>Maximum names visited in one step: some milliseconds.</summary>
    internal const int MostNames = 50_000;

    private readonly RRsetSigner _signer = new(run);
    private readonly RecordBatch _batch = new();
    private readonly SignedDelta _delta = new(run.Previous!);
    private bool _isVersionDue;

    /// <summary>Continues the round.</summary>
    /// <param name="budget">Signatures to make, at least 1; those of one more name and the SOA may exceed it.</param>
    /// <returns>The delta to the next version, without ZONEMD; null if nothing was due.</returns>
    internal ZoneDelta? Step(int budget)
    {
        Zone signed = run.Previous!;
        int names = 0;
        if (round.Next is null) round.FirstDue = long.MaxValue;
        CanonicalOrder.Enumerator nodes =
            round.Next is { } next ? signed.Order.From(next) : signed.Order.GetEnumerator();
        round.Next = null;
        while (nodes.MoveNext())
        {
            ZoneNode node = nodes.Current;
            if (names++ >= MostNames || budget <= 0)
            {
                round.Next = node.Name.ToArray();
                break;
            }
            foreach (RRset rrset in node)
                if (rrset.Type == RRType.RRSIG && rrset.First.Length >= 2 && IsDue(rrset))
                    budget -= Replace(node, rrset);
        }
        if (!_delta.HasChanges && !_isVersionDue) return null;
        ReplaceSoa(signed);
        _signer.Report();
        return _delta.Build();
    }

    private bool IsDue(RRset signatures)
    {
        foreach (ReadOnlySpan<byte> rdata in signatures)
        {
            if (!RrsigFields.TryRead(rdata, out RrsigFields fields)) continue;
            if (!run.Times.IsGood(fields)) return !IsReady(rdata);
            long due = RrsigFields.TimeOf(run.Times.DueAt(fields.Expiration), run.Now).ToUnixTimeSeconds();
            round.FirstDue = Math.Min(round.FirstDue, due);
        }
        return false;
    }

    // Signatures made elsewhere cannot be renewed here.
    private bool IsReady(ReadOnlySpan<byte> signature)
    {
        foreach (byte[] ready in run.Plan.KeySetSignatures)
            if (signature.SequenceEqual(ready)) return true;
        return false;
    }

    private int Replace(ZoneNode node, RRset signatures)
    {
        RRType covered = (RRType)(signatures.First[0] << 8 | signatures.First[1]);
        // These two of the apex are signed with every version.
        bool isOfVersion = covered is RRType.SOA or RRType.ZONEMD && node.Name.Length == run.Apex.Length;
        if (isOfVersion) _isVersionDue = true;
        if (isOfVersion || !node.TryFind(covered, out RRset rrset)) return 0;
        Begin(node);
        foreach (ReadOnlySpan<byte> rdata in rrset) _batch.Add(covered, rrset.Ttl, rdata);
        _signer.Sign(_batch, 0, node, hasPrevious: true);
        _delta.CompareOne(node, covered, _batch);
        return signatures.Count;
    }

    private void ReplaceSoa(Zone signed)
    {
        Begin(signed.ApexNode);
        foreach (var record in run.ApexRecords.Records)
            if (record.Type == RRType.SOA) _batch.Add(record.Type, record.Ttl, record.Rdata);
        _signer.Sign(_batch, 0, default, hasPrevious: false);
        _delta.CompareOne(signed.ApexNode, RRType.SOA, _batch);
    }

    private void Begin(ZoneNode node)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        _batch.Clear();
        _batch.Begin(owner[..node.CopyOwner(owner)]);
    }
}
