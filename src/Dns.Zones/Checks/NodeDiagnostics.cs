namespace Dns.Zones.Checks;

/// <summary>The diagnostics of a zone: a bounded number of each severity, the rest only counted.</summary>
internal sealed class NodeDiagnostics
{
    private readonly List<NodeDiagnostic> _kept = [];
    private int _errors;
    private int _warnings;

    /// <summary>The stored ones, in the order in which they were found.</summary>
    public IReadOnlyList<NodeDiagnostic> Kept => _kept;

    public int ErrorCount => _errors;

    public int WarningCount => _warnings;

    public void Error(
        NodeDiagnosticKind kind, ReadOnlySpan<byte> owner, RRType type, string message) =>
        Add(ref _errors, kind, Severity.Error, owner, type, default, message);

    /// <summary>Adds an error about one record.</summary>
    public void ErrorAt(ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata, string message) =>
        Add(ref _errors, NodeDiagnosticKind.Record, Severity.Error, owner, type, rdata, message);

    /// <summary>Adds a warning; <paramref name="rdata"/> is empty unless it is about one record.</summary>
    public void Warn(
        NodeDiagnosticKind kind, ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata, string message) =>
        Add(ref _warnings, kind, Severity.Warning, owner, type, rdata, message);

    /// <summary>Adds another part's diagnostic: at its record, else the first of its type, else of its name.</summary>
    public void Add(RecordDiagnostic diagnostic)
    {
        NodeDiagnosticKind kind = diagnostic.Rdata.Length > 0 ? NodeDiagnosticKind.Record
            : diagnostic.Type != 0 ? NodeDiagnosticKind.FirstOfType : NodeDiagnosticKind.FirstOfName;
        ref int count = ref (diagnostic.Severity == Severity.Error ? ref _errors : ref _warnings);
        Add(
            ref count, kind, diagnostic.Severity, diagnostic.Owner.Octets, diagnostic.Type, diagnostic.Rdata,
            diagnostic.Message);
    }

    private void Add(
        ref int count, NodeDiagnosticKind kind, Severity severity, ReadOnlySpan<byte> owner, RRType type,
        ReadOnlySpan<byte> rdata, string message)
    {
        if (count++ >= DiagnosticLog.MaxKept) return;
        byte[] canonical = rdata.ToArray();
        Rdata.ToCanonical(type, canonical);
        _kept.Add(new NodeDiagnostic(kind, severity, owner.ToArray(), type, canonical, message));
    }
}
