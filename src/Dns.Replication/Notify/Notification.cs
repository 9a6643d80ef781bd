using Dns.Protocol;
using Dns.Transport.Outgoing;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>One zone that one server is to be notified of, from the first change until it has answered or is given up.</summary>
/// <param name="target">The server.</param>
/// <param name="slot">The zone.</param>
internal sealed class Notification(NotifyTarget target, ZoneSlot slot) : WheelNode
{
    /// <summary>The server.</summary>
    public NotifyTarget Target => target;

    /// <summary>The zone.</summary>
    public ZoneSlot Slot => slot;

    /// <summary>Its ID while it is under way.</summary>
    public ushort Id { get; set; }

    /// <summary>How often it was sent; 0 while it waits for its place.</summary>
    public int Tries { get; set; }

    /// <summary>Whether the zone has changed since it was last sent.</summary>
    public bool HasChanged { get; set; }

    /// <summary>Verifies the answer to the latest try; null if that was not signed.</summary>
    public TsigChain? Chain { get; set; }

    /// <summary>What was answered without a good signature, where one was asked for.</summary>
    public Rcode? Unproven { get; set; }

    /// <inheritdoc/>
    public override void Fire(int generation) => target.Sender.OnSilence(this);
}
