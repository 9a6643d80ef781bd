namespace Dns.Testing;

/// <summary>Batches of datagrams whose slots lie in a row.</summary>
public static class Batches
{
    [ThreadStatic]
    private static int[]? s_offsets;

    /// <summary>A batch of slots in a row, from the start of the memory on. One at a time for each thread.</summary>
    public static DatagramBatch InRow(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, long now = 0)
    {
        int[] offsets = s_offsets ??= new int[64];
        for (int i = 0; i < lengths.Length; i++) offsets[i] = i * slotOctets;
        return new DatagramBatch(slots, offsets, slotOctets, lengths, clients, now);
    }
}
