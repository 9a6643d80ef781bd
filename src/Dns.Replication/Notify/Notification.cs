namespace Dns.Replication.Notify;

/// <summary>A notification of a server about an RRset, from the first change until answered or given up.</summary>
/// <param name="type">SOA; CDS or CDNSKEY for a server of the parent (RFC 9859).</param>
internal sealed class Notification(NotifyTarget target, ZoneSlot slot, RRType type) : WheelNode
{
    public NotifyTarget Target => target;
    public ZoneSlot Slot => slot;
    public RRType Type => type;

    /// <summary>Its ID while it is in flight.</summary>
    public ushort Id { get; set; }

    /// <summary>The number of tries; 0 while it is queued.</summary>
    public int Tries { get; set; }

    /// <summary>Whether the zone has changed since the last try.</summary>
    public bool HasChanged { get; set; }

    /// <summary>Verifies the answer to the last try; null if that was unsigned.</summary>
    public TsigChain? Chain { get; set; }

    /// <summary>The RCODE of an answer without a required valid signature.</summary>
    public Rcode? Unproven { get; set; }

    public override void Fire(int generation) => target.Sender.OnSilence(this);
}
