namespace Dns.Replication.Outgoing;

/// <summary>Why a query for a transfer of a served zone was refused.</summary>
public enum TransferRefusal : byte
{
    /// <summary>No rule permits the client: REFUSED.</summary>
    NotAllowed,

    /// <summary>Invalid signature: NOTAUTH.</summary>
    BadSignature,

    /// <summary>The limit of transfers is reached, in all or for this client: SERVFAIL.</summary>
    Busy,

    /// <summary>The zone has no usable data: SERVFAIL.</summary>
    NoData,

    /// <summary>The zone is signed online, so that a copy would lack its signatures: REFUSED.</summary>
    SignedOnline,

    /// <summary>Another server still serves the zone, and may use the serial for another version: SERVFAIL.</summary>
    TakingOver,
}
