namespace Dns.Protocol.Messages;

/// <summary>
/// 1 to 64 datagrams in slots that answers overwrite. The slots may be anywhere in one memory, such as that of a
/// network interface. Memory of the receive loop, for one call only.
/// </summary>
public readonly ref struct DatagramBatch(
    Span<byte> memory, ReadOnlySpan<int> offsets, int slotOctets, Span<int> lengths, Span<ClientAddress> clients,
    long now)
{
    /// <summary>The memory of all slots; nothing outside of them is read or written.</summary>
    public readonly Span<byte> Memory = memory;

    /// <summary>
    /// Where in the memory each slot starts, with its datagram; the answer may use the whole slot. None overlap.
    /// </summary>
    public readonly ReadOnlySpan<int> Offsets = offsets;

    /// <summary>
    /// In: length of each datagram; above <see cref="SlotOctets"/> if the socket cut it off; 0 if it is empty or
    /// must not be answered. Out: length of the answer, 0 for none or a deferred one.
    /// </summary>
    public readonly Span<int> Lengths = lengths;

    /// <summary>The clients, one for each datagram. Writable only to avoid copies.</summary>
    public readonly Span<ClientAddress> Clients = clients;

    /// <summary>Size of each slot: 512 to 65,535 octets.</summary>
    public int SlotOctets { get; } = slotOctets;

    /// <summary>The time of receipt, a timestamp of the transport's <see cref="TimeProvider"/>.</summary>
    public long Now { get; } = now;

    /// <summary>Number of datagrams.</summary>
    public int Count => Lengths.Length;

    /// <summary>The slot of a datagram.</summary>
    public Span<byte> Slot(int index) => Memory.Slice(Offsets[index], SlotOctets);
}
