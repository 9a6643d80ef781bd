namespace Dns.Replication.Incoming;

/// <summary>The failure of a transfer or serial query.</summary>
/// <param name="Message">The message: what was found, and what was expected.</param>
public sealed record TransferFailure(TransferFailureKind Kind, string Message) : ZoneFailure
{
    /// <inheritdoc/>
    public override string Text => Message;

    /// <summary>Whether to retry IXFR as AXFR: the primary cannot send deltas, or they were useless.</summary>
    public bool NeedsAxfr =>
        Kind is TransferFailureKind.Refused or TransferFailureKind.DoesNotFit or TransferFailureKind.Malformed
        or TransferFailureKind.WrongReply or TransferFailureKind.EndedEarly;
}

/// <summary>No primary has confirmed a version for as long as its SOA allows.</summary>
/// <param name="Last">The last failure to query one; null if there was none.</param>
public sealed record ExpiredFailure(uint Serial, TransferFailure? Last) : ZoneFailure
{
    /// <inheritdoc/>
    public override string Text => $"no primary has confirmed serial {Serial} for as long as its SOA allows"
        + (Last is null ? "" : $": {Last.Message}");
}
