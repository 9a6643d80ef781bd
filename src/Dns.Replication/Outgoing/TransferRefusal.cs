namespace Dns.Replication;

/// <summary>Why a query for a transfer of a zone that is served got none.</summary>
public enum TransferRefusal : byte
{
    /// <summary>No rule lets its client have the zone: REFUSED.</summary>
    NotAllowed,

    /// <summary>Its signature is not good: NOTAUTH.</summary>
    BadSignature,

    /// <summary>As many transfers run as may, in all or for this peer: SERVFAIL.</summary>
    Busy,

    /// <summary>The zone has no data that can be used: SERVFAIL.</summary>
    NoData,

    /// <summary>The signatures of the zone are made for each answer, so that a copy would lack them: REFUSED.</summary>
    SignedOnline,
}
