namespace Dns.Dnssec.Validation;

/// <summary>Collects diagnostics of several threads: a bounded number of each severity, the rest is counted.</summary>
internal sealed class DiagnosticList
{
    private const int MaxKept = 1000;

    private readonly Lock _lock = new();
    private readonly List<RecordDiagnostic> _errors = [];
    private readonly List<RecordDiagnostic> _warnings = [];

    internal int ErrorCount { get; private set; }

    internal int WarningCount { get; private set; }

    /// <summary>The diagnostics in canonical order of names, independent of threads.</summary>
    internal IReadOnlyList<RecordDiagnostic> Kept
    {
        get
        {
            List<RecordDiagnostic> all = [.. _errors, .. _warnings];
            all.Sort((left, right) =>
            {
                int order = CanonicalNames.Compare(left.Owner.Octets, right.Owner.Octets);
                if (order == 0) order = left.Type.CompareTo(right.Type);
                return order != 0 ? order : string.CompareOrdinal(left.Message, right.Message);
            });
            return all;
        }
    }

    internal void Error(ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata, string message) =>
        Add(Severity.Error, owner, type, rdata, message);

    internal void Error(ReadOnlySpan<byte> owner, RRType type, string message) =>
        Add(Severity.Error, owner, type, default, message);

    internal void Warn(ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata, string message) =>
        Add(Severity.Warning, owner, type, rdata, message);

    private void Add(Severity severity, ReadOnlySpan<byte> owner, RRType type, ReadOnlySpan<byte> rdata, string message)
    {
        RecordDiagnostic diagnostic = new(severity, DomainName.FromOctets(owner), type, rdata.ToArray(), message);
        lock (_lock)
        {
            if (severity == Severity.Error) ErrorCount++;
            else WarningCount++;
            List<RecordDiagnostic> list = severity == Severity.Error ? _errors : _warnings;
            if (list.Count < MaxKept) list.Add(diagnostic);
        }
    }
}
