namespace Dns.Replication.Incoming;

/// <summary>The parameters of a transfer.</summary>
/// <param name="Have">The current version; null = none.</param>
internal sealed record TransferOrder(DomainName Zone, Zone? Have, SecondaryOptions Options)
{
    /// <summary>Whether to request the whole zone in spite of a current version.</summary>
    public bool IsWhole { get; init; }

    public bool AcceptsAnySerial { get; init; }

    public bool HasEdns { get; init; } = true;
}
