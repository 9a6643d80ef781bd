namespace Dns.Replication.Tests;

/// <summary>Records the events of a secondary.</summary>
internal sealed class RecordingObserver : ISecondaryObserver
{
    public List<TransferReport> Transfers { get; } = [];

    public List<TransferFailure> Failures { get; } = [];

    public List<string> Lines { get; } = [];

    /// <summary>The messages of faults, if a test expects some; null = a fault is thrown.</summary>
    public List<string>? Faults { get; set; }

    public void OnTransferred(TransferReport report) => Transfers.Add(report);

    public void OnFailed(DomainName zone, PeerAddress primary, TransferFailure failure, uint? servedSerial)
    {
        Failures.Add(failure);
        Lines.Add($"failed {zone} {primary.EndPoint} {failure.Kind} {servedSerial}");
    }

    public void OnRecovered(DomainName zone, uint serial) => Lines.Add($"recovered {zone} {serial}");

    public void OnExpired(DomainName zone, uint serial) => Lines.Add($"expired {zone} {serial}");

    public void OnCopyBroken(DomainName zone, string problem, uint? servedSerial) =>
        Lines.Add($"broken {zone} {problem} {servedSerial}");

    public void OnNotifyRefused(DomainName zone, ClientAddress client, string reason) =>
        Lines.Add($"notify {zone} {client} {reason}");

    public void OnFault(DomainName zone, Exception error)
    {
        if (Faults is null) throw new InvalidOperationException(zone.ToString(), error);
        Faults.Add(error.Message);
    }
}
