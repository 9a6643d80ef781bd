namespace Dns.Protocol;

/// <summary>
/// Datagrams that came in together, 1 to 64, each in its own slot, in which its answer is written over it. Borrows the
/// memory of the receive loop for one call.
/// </summary>
/// <param name="slots">Slots side by side; slot <c>i</c> starts with datagram <c>i</c>.</param>
/// <param name="slotOctets">Size of one slot: 512 to 65,535.</param>
/// <param name="lengths">In: lengths of the datagrams. Out: lengths of the answers.</param>
/// <param name="clients">Who sent them.</param>
/// <param name="now">When they had arrived, as a timestamp of the transport's <see cref="TimeProvider"/>.</param>
public readonly ref struct DatagramBatch(
    Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, long now)
{
    /// <summary>Slots of <see cref="SlotOctets"/> each, side by side. The whole slot is room for the answer.</summary>
    public readonly Span<byte> Slots = slots;

    /// <summary>
    /// In: length of each datagram. A length above <see cref="SlotOctets"/> says that it did not fit: only its first
    /// octets are there. 0 is an empty datagram, or one that the transport refuses to have answered. Out: length of the
    /// answer, 0 for none or none yet.
    /// </summary>
    public readonly Span<int> Lengths = lengths;

    /// <summary>Who sent them, one for each datagram. Writable only so that addresses are not copied.</summary>
    public readonly Span<ClientAddress> Clients = clients;

    /// <summary>Size of one slot in octets.</summary>
    public int SlotOctets { get; } = slotOctets;

    /// <summary>When they had arrived.</summary>
    public long Now { get; } = now;

    /// <summary>Number of datagrams.</summary>
    public int Count => Lengths.Length;

    /// <summary>The slot of a datagram.</summary>
    public Span<byte> Slot(int index) => Slots.Slice(index * SlotOctets, SlotOctets);
}
