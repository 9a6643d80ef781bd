namespace Dns.Dnssec.Validation;

/// <summary>
/// Verifies a whole signed zone: every signature and its times, which RRsets are signed and which must not be, the NSEC
/// and NSEC3 chains with their types, CDS and CDNSKEY, and ZONEMD (RFC 4035 §2, RFC 5155 §7.1, RFC 7344 §4.1,
/// RFC 8976 §4).
/// </summary>
/// <remarks>
/// Names are verified on several threads, each with one RRset in memory. Memory besides the zone: its canonical order,
/// and 21 octets for each NSEC3 record.
/// </remarks>
public static class ZoneVerifier
{
    /// <summary>Verifies a version of a zone.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public static ZoneVerification Verify(Zone zone, ZoneVerifierSettings settings,
        CancellationToken cancellation = default)
    {
        DiagnosticList diagnostics = new();
        ApexKeys keys = ApexKeys.Of(zone);
        if (!CheckKeys(zone, keys, diagnostics)) return new ZoneVerification(diagnostics, 0, null);
        HashedChains hashed = HashedChains.Of(zone, diagnostics, cancellation);
        bool hasNsec = NsecChain.Check(zone, diagnostics, cancellation);
        if (!hasNsec && hashed.Count == 0)
            diagnostics.Error(zone.Apex, RRType.SOA,
                "found neither NSEC nor NSEC3PARAM at the apex, expected a chain that proves denial");
        NodeQueue queue = new(zone);
        NodeVerifier[] workers = [.. Enumerable.Range(0, Math.Max(1, settings.Threads))
            .Select(_ => new NodeVerifier(zone, keys, settings.Now, hashed, hasNsec, diagnostics))];
        Parallel.ForEach(
            workers, new ParallelOptions { MaxDegreeOfParallelism = workers.Length, CancellationToken = cancellation },
            worker => worker.Run(queue, cancellation));
        hashed.CheckUnused(diagnostics);
        CdsCheck.Check(zone, keys, settings.Now, diagnostics);
        ZonemdCheck.Check(zone, diagnostics);
        DateTimeOffset? first = workers.Min(worker => worker.FirstExpiration);
        return new ZoneVerification(diagnostics, workers.Sum(worker => worker.Signatures), first);
    }

    private static bool CheckKeys(Zone zone, ApexKeys keys, DiagnosticList diagnostics)
    {
        string apex = NameText.ToText(zone.Apex);
        if (keys.Algorithms.Count == 0)
        {
            diagnostics.Error(zone.Apex, RRType.SOA,
                $"found no DNSKEY at {apex} that may sign the zone, expected a signed zone");
            return false;
        }
        foreach (Dnskey key in keys.Keys)
        {
            if (!key.IsZoneKey || key.IsRevoked) continue;
            if (!DnssecAlgorithms.CanVerify(key.Algorithm))
                diagnostics.Warn(zone.Apex, RRType.DNSKEY, key.Rdata,
                    $"algorithm {(byte)key.Algorithm} is not verified here");
            else if (!key.CanVerify)
                diagnostics.Error(zone.Apex, RRType.DNSKEY, key.Rdata,
                    $"found octets that are no key of {DnssecAlgorithms.NameOf(key.Algorithm)}");
        }
        return true;
    }
}
