namespace Dns.Replication.Incoming;

/// <summary>The failure of a transfer or serial query.</summary>
/// <param name="Message">The message: what was found, and what was expected.</param>
public sealed record TransferFailure(TransferFailureKind Kind, string Message)
{
    /// <summary>Whether to retry IXFR as AXFR: the primary cannot send deltas, or they were useless.</summary>
    public bool NeedsAxfr =>
        Kind is TransferFailureKind.Refused or TransferFailureKind.DoesNotFit or TransferFailureKind.Malformed
        or TransferFailureKind.WrongReply or TransferFailureKind.EndedEarly;
}
