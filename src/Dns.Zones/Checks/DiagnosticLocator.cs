using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// Finds the lines of diagnostics by reading the file again: a zone has no line numbers, and most zones have no
/// diagnostics.
/// </summary>
internal sealed class DiagnosticLocator
{
    private sealed class OwnerDiagnostics(byte[] owner)
    {
        public byte[] Owner => owner;

        public List<NodeDiagnostic> OfName { get; } = [];

        public Dictionary<int, List<NodeDiagnostic>> OfRecord { get; } = [];
    }

    private readonly Dictionary<ulong, List<OwnerDiagnostics>> _owners = [];
    private readonly byte[] _canonical = new byte[ushort.MaxValue];
    private readonly DiagnosticLog _log;
    private int _left;

    private DiagnosticLocator(NodeDiagnostics findings, DiagnosticLog log)
    {
        _log = log;
        _left = findings.Kept.Count;
        foreach (NodeDiagnostic finding in findings.Kept) Expect(finding);
    }

    /// <summary>
    /// Writes the diagnostics to the log, each with its line and column; <paramref name="whole"/> instead if the file
    /// can no longer be read or has changed.
    /// </summary>
    public static void Locate(
        NodeDiagnostics findings, DomainName apex, string file, FileLocation whole, DiagnosticLog log)
    {
        if (findings.Kept.Count == 0) return;
        var locator = new DiagnosticLocator(findings, log);
        if (MasterFileReader.TryOpen(apex.Octets, file, new DiagnosticLog(), out MasterFileReader? reader))
            using (reader) locator.Read(reader);
        foreach (NodeDiagnostic finding in findings.Kept)
            if (!finding.IsLocated)
                log.Add(new ZoneDiagnostic(finding.Severity, whole.File, whole.Line, whole.Column, finding.Message));
        log.CountMore(Severity.Error,
            findings.ErrorCount - findings.Kept.Count(kept => kept.Severity == Severity.Error));
        log.CountMore(
            Severity.Warning, findings.WarningCount - findings.Kept.Count(kept => kept.Severity == Severity.Warning));
    }

    private void Read(MasterFileReader reader)
    {
        OwnerDiagnostics? owner = null;
        while (_left > 0 && reader.Read())
        {
            if (!reader.IsSameOwner) owner = Find(reader.Owner);
            if (owner is not null && reader.Class == RRClass.IN) Show(owner, reader);
        }
    }

    private void Expect(NodeDiagnostic finding)
    {
        OwnerDiagnostics? owner = Find(finding.Owner);
        if (owner is null)
        {
            owner = new OwnerDiagnostics(finding.Owner);
            ulong hash = NameHash.Compute(finding.Owner);
            if (!_owners.TryGetValue(hash, out List<OwnerDiagnostics>? owners)) _owners[hash] = owners = [];
            owners.Add(owner);
        }
        if (!finding.IsOfRecord)
        {
            owner.OfName.Add(finding);
            return;
        }
        int key = Key(finding.Type, finding.Rdata);
        if (!owner.OfRecord.TryGetValue(key, out List<NodeDiagnostic>? findings)) owner.OfRecord[key] = findings = [];
        findings.Add(finding);
    }

    private OwnerDiagnostics? Find(ReadOnlySpan<byte> name)
    {
        if (!_owners.TryGetValue(NameHash.Compute(name), out List<OwnerDiagnostics>? owners)) return null;
        foreach (OwnerDiagnostics owner in owners)
            if (WireName.EqualsIgnoreCase(owner.Owner, name)) return owner;
        return null;
    }

    private void Show(OwnerDiagnostics owner, MasterFileReader reader)
    {
        Span<byte> rdata = _canonical.AsSpan(0, reader.Rdata.Length);
        reader.Rdata.CopyTo(rdata);
        Rdata.ToCanonical(reader.Type, rdata);
        uint ttl = reader.Ttl > int.MaxValue ? 0 : reader.Ttl;
        foreach (NodeDiagnostic finding in owner.OfName)
            if (finding.IsCompletedBy(reader.Type, ttl, rdata)) Report(finding, reader);
        if (owner.OfRecord.Count == 0) return;
        if (!owner.OfRecord.TryGetValue(Key(reader.Type, rdata), out List<NodeDiagnostic>? findings)) return;
        foreach (NodeDiagnostic finding in findings)
        {
            if (finding.Type != reader.Type || !rdata.SequenceEqual(finding.Rdata)) continue;
            if (!finding.IsCompletedBy(reader.Type, ttl, rdata)) continue;
            Report(finding, reader);
            // Each later duplicate is a separate diagnostic.
            if (finding.Kind == NodeDiagnosticKind.LaterCopy) break;
        }
    }

    private void Report(NodeDiagnostic finding, MasterFileReader reader)
    {
        _left--;
        FileLocation place = finding.IsOfRdata ? reader.RdataPlace : reader.Place;
        _log.Add(new ZoneDiagnostic(finding.Severity, place.File, place.Line, place.Column, finding.Message));
    }

    private static int Key(RRType type, ReadOnlySpan<byte> rdata)
    {
        var hash = new HashCode();
        hash.Add(type);
        hash.AddBytes(rdata);
        return hash.ToHashCode();
    }
}
