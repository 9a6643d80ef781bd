namespace Dns.Replication;

/// <summary>Why a transfer, or a query for the serial, brought nothing.</summary>
/// <param name="Kind">What kind of reason it is.</param>
/// <param name="Message">The reason for people: what was found, and what was expected.</param>
public sealed record TransferFailure(TransferFailureKind Kind, string Message)
{
    /// <summary>
    /// Whether a primary that was asked for differences may be asked for the whole zone: it cannot give them, or they were of no use.
    /// </summary>
    public bool AsksForWhole => Kind is TransferFailureKind.Refused or TransferFailureKind.DoesNotFit or TransferFailureKind.Malformed
        or TransferFailureKind.WrongReply or TransferFailureKind.EndedEarly;
}
