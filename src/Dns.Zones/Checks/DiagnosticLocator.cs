namespace Dns.Zones.Checks;

/// <summary>Finds the lines of diagnostics by a second reading: zones store no lines, few have diagnostics.</summary>
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

    private DiagnosticLocator(NodeDiagnostics diagnostics, DiagnosticLog log)
    {
        _log = log;
        _left = diagnostics.Kept.Count;
        foreach (NodeDiagnostic diagnostic in diagnostics.Kept) Expect(diagnostic);
    }

    /// <summary>
    /// Writes the diagnostics to the log, each with its line and column; <paramref name="whole"/> instead if the file
    /// can no longer be read or has changed.
    /// </summary>
    public static void Locate(
        NodeDiagnostics diagnostics, DomainName apex, string file, FileLocation whole, DiagnosticLog log)
    {
        if (diagnostics.Kept.Count == 0) return;
        var locator = new DiagnosticLocator(diagnostics, log);
        var second = new DiagnosticLog();
        if (MasterFileReader.TryOpen(apex.Octets, file, second, out MasterFileReader? reader))
            using (reader) locator.Read(reader);
        log.HideFilesOf(second);
        foreach (NodeDiagnostic diagnostic in diagnostics.Kept)
            if (!diagnostic.IsLocated)
                log.AddOfAnyFile(new ZoneDiagnostic(
                    diagnostic.Severity, whole.File, whole.Line, whole.Column, diagnostic.Message));
        log.CountMore(Severity.Error,
            diagnostics.ErrorCount - diagnostics.Kept.Count(kept => kept.Severity == Severity.Error));
        log.CountMore(
            Severity.Warning,
            diagnostics.WarningCount - diagnostics.Kept.Count(kept => kept.Severity == Severity.Warning));
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

    private void Expect(NodeDiagnostic diagnostic)
    {
        OwnerDiagnostics? owner = Find(diagnostic.Owner);
        if (owner is null)
        {
            owner = new OwnerDiagnostics(diagnostic.Owner);
            ulong hash = NameHash.Compute(diagnostic.Owner);
            if (!_owners.TryGetValue(hash, out List<OwnerDiagnostics>? owners)) _owners[hash] = owners = [];
            owners.Add(owner);
        }
        if (!diagnostic.IsOfRecord)
        {
            owner.OfName.Add(diagnostic);
            return;
        }
        int key = Key(diagnostic.Type, diagnostic.Rdata);
        if (!owner.OfRecord.TryGetValue(key, out List<NodeDiagnostic>? diagnostics))
            owner.OfRecord[key] = diagnostics = [];
        diagnostics.Add(diagnostic);
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
        foreach (NodeDiagnostic diagnostic in owner.OfName)
            if (diagnostic.IsCompletedBy(reader.Type, ttl, rdata)) Report(diagnostic, reader);
        if (owner.OfRecord.Count == 0) return;
        if (!owner.OfRecord.TryGetValue(Key(reader.Type, rdata), out List<NodeDiagnostic>? diagnostics)) return;
        foreach (NodeDiagnostic diagnostic in diagnostics)
        {
            if (diagnostic.Type != reader.Type || !rdata.SequenceEqual(diagnostic.Rdata)) continue;
            if (!diagnostic.IsCompletedBy(reader.Type, ttl, rdata)) continue;
            Report(diagnostic, reader);
            // Each later duplicate is a separate diagnostic.
            if (diagnostic.Kind == NodeDiagnosticKind.LaterCopy) break;
        }
    }

    private void Report(NodeDiagnostic diagnostic, MasterFileReader reader)
    {
        _left--;
        FileLocation location = diagnostic.IsOfRdata ? reader.RdataLocation : reader.Location;
        ZoneDiagnostic located =
            new(diagnostic.Severity, location.File, location.Line, location.Column, diagnostic.Message);
        // The others name only the owner and the RDATA of the record at that line, and parts of them.
        if (diagnostic.Kind == NodeDiagnosticKind.ChainGap) _log.AddOfAnyFile(located);
        else _log.Add(located);
    }

    private static int Key(RRType type, ReadOnlySpan<byte> rdata)
    {
        var hash = new HashCode();
        hash.Add(type);
        hash.AddBytes(rdata);
        return hash.ToHashCode();
    }
}
