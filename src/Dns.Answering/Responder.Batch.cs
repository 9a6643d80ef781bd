using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Several datagrams at once.</content>
public sealed partial class Responder
{
    /// <summary>How many queries are read before the first is answered.</summary>
    private const int GroupSize = 16;

    /// <summary>
    /// Names above which a zone no longer fits a processor's caches, so that asking for memory early is worth a pass.
    /// </summary>
    private const int LargeZoneNames = 20_000;

    [InlineArray(GroupSize)]
    private struct Queries
    {
        private Query _first;
    }

    [InlineArray(GroupSize)]
    private struct Cells
    {
        private ZoneCell? _first;
    }

    /// <summary>
    /// Answers a batch of datagrams, each in its slot, as <see cref="Respond"/> does one by one. The questions of a group are
    /// read first and the memory that their answers lie in is asked for, so that the waits for it overlap.
    /// </summary>
    /// <param name="slots">Slots side by side; slot <c>i</c> starts with datagram <c>i</c>.</param>
    /// <param name="slotOctets">Size of a slot, at least 512.</param>
    /// <param name="lengths">In: lengths of the datagrams. Out: lengths of the answers, 0 for none.</param>
    /// <param name="clients">Who sent them.</param>
    public void RespondToBatch(Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients)
    {
        NoRelay none = default;
        RespondToBatch(slots, slotOctets, lengths, clients, ref none);
    }

    /// <summary>Answers a batch from the zones served and from what others say.</summary>
    /// <param name="slots">Slots side by side; slot <c>i</c> starts with datagram <c>i</c>.</param>
    /// <param name="slotOctets">Size of a slot, at least 512.</param>
    /// <param name="lengths">In: lengths of the datagrams. Out: lengths of the answers, 0 for none or for one that comes later.</param>
    /// <param name="clients">Who sent them.</param>
    /// <param name="relay">What others say.</param>
    public void RespondToBatch<TRelay>(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        if (lengths.Length == 1)
        {
            relay.Slot = 0;
            int length = Respond(slots[..slotOctets], lengths[0], ResponseTransport.Datagram, ref clients[0], ref relay);
            lengths[0] = Math.Max(length, 0);
            return;
        }
        for (int start = 0; start < lengths.Length; start += GroupSize)
        {
            int count = Math.Min(GroupSize, lengths.Length - start);
            RespondToGroup(
                slots.Slice(start * slotOctets, count * slotOctets), slotOctets,
                lengths.Slice(start, count), clients.Slice(start, count), start, ref relay);
        }
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void RespondToGroup<TRelay>(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, int firstSlot, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        Unsafe.SkipInit(out Queries queries);
        Cells cells = default;
        Span<int> answered = stackalloc int[GroupSize], apexSkips = stackalloc int[GroupSize];
        ZoneSet zones = _zones.Current;
        bool isLarge = false;
        for (int i = 0; i < lengths.Length; i++)
        {
            ref Query query = ref queries[i];
            answered[i] = Admit(slots.Slice(i * slotOctets, slotOctets), lengths[i], ref clients[i], ref query);
            if (answered[i] != NotAnswered) continue;
            _options.RateLimiter?.Prefetch(query.Name.Hash, ref clients[i]);
            cells[i] = Resolution.FindZone(zones, in query.Name, query.Type, out apexSkips[i]);
            if (cells[i]?.Zone is not { } zone || zone.NameCount < LargeZoneNames) continue;
            isLarge = true;
            zone.PrefetchSlot(in query.Name);
        }
        if (isLarge) PrefetchNodes(answered, ref cells, ref queries, lengths.Length);
        AnswerTally tally = Counters.Current;
        for (int i = 0; i < lengths.Length; i++)
        {
            Span<byte> slot = slots.Slice(i * slotOctets, slotOctets);
            int length = answered[i];
            if (length != NotAnswered)
            {
                length = Limit(slot, length, ResponseTransport.Datagram, isRead: false, ref queries[i], ref clients[i]);
                tally.Count(slot, length, ResponseTransport.Datagram, isRelayed: false);
                lengths[i] = length;
                continue;
            }
            relay.Slot = firstSlot + i;
            length = Answer(
                slot, ResponseTransport.Datagram, zones, cells[i], apexSkips[i], ref queries[i], ref clients[i], ref relay);
            length = Limit(slot, length, ResponseTransport.Datagram, isRead: true, ref queries[i], ref clients[i]);
            tally.Count(slot, length, ResponseTransport.Datagram, in queries[i]);
            lengths[i] = Math.Max(length, 0);
        }
    }

    private static void PrefetchNodes(Span<int> answered, ref Cells cells, ref Queries queries, int count)
    {
        for (int i = 0; i < count; i++)
            if (answered[i] == NotAnswered && cells[i]?.Zone is { } zone) zone.PrefetchNode(in queries[i].Name);
    }
}
