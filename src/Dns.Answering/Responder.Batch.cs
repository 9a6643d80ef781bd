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
    private struct FoundZones
    {
        private ZoneSlot? _first;
    }

    /// <summary>
    /// Answers a batch of datagrams, each in its slot, as <see cref="Respond"/> does one by one. The questions of a group are
    /// read first and the memory that their answers lie in is asked for, so that the waits for it overlap.
    /// </summary>
    /// <param name="batch">The datagrams. Lengths out: of the answers, 0 for none.</param>
    public void RespondToBatch(scoped in DatagramBatch batch)
    {
        NoRelay none = default;
        RespondToBatch(in batch, ref none);
    }

    /// <summary>Answers a batch from the zones served and from what others say.</summary>
    /// <param name="batch">The datagrams. Lengths out: of the answers, 0 for none or for one that comes later.</param>
    /// <param name="relay">What others say.</param>
    public void RespondToBatch<TRelay>(scoped in DatagramBatch batch, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        if (batch.Count == 1)
        {
            relay.Slot = 0;
            batch.Lengths[0] = RespondAlone(batch.Slots[..batch.SlotOctets], batch.Lengths[0], ref batch.Clients[0], ref relay);
            return;
        }
        for (int start = 0; start < batch.Count; start += GroupSize)
        {
            int count = Math.Min(GroupSize, batch.Count - start);
            RespondToGroup(
                batch.Slots.Slice(start * batch.SlotOctets, count * batch.SlotOctets), batch.SlotOctets,
                batch.Lengths.Slice(start, count), batch.Clients.Slice(start, count), start, ref relay);
        }
    }

    private int RespondAlone<TRelay>(Span<byte> slot, int queryOctets, ref ClientAddress client, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        try
        {
            return Math.Max(RespondToOne(slot, queryOctets, DnsTransport.Udp, ref client, ref relay), 0);
        }
        catch (Exception error) when (Exceptions is not null)
        {
            return Drop(error, slot, queryOctets);
        }
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void RespondToGroup<TRelay>(
        Span<byte> slots, int slotOctets, Span<int> lengths, Span<ClientAddress> clients, int firstSlot, ref TRelay relay)
        where TRelay : IRelay, allows ref struct
    {
        Unsafe.SkipInit(out Queries queries);
        FoundZones zoneSlots = default;
        Span<int> answered = stackalloc int[GroupSize], apexSkips = stackalloc int[GroupSize];
        ZoneSet zones = _zones.Current;
        bool isLarge = false;
        // A message at which something throws is dropped and reported, and the loop goes on behind it.
        for (int i = 0; i < lengths.Length; i++)
            try
            {
                for (; i < lengths.Length; i++)
                    isLarge |= Read(
                        slots.Slice(i * slotOctets, slotOctets), lengths[i], ref clients[i], zones, ref queries[i],
                        out answered[i], ref zoneSlots[i], out apexSkips[i]);
            }
            catch (Exception error) when (Exceptions is not null)
            {
                answered[i] = Drop(error, slots.Slice(i * slotOctets, slotOctets), lengths[i]);
            }
        if (isLarge) PrefetchNodes(answered, ref zoneSlots, ref queries, lengths.Length);
        AnswerTally tally = Counters.Current;
        for (int i = 0; i < lengths.Length; i++)
            try
            {
                for (; i < lengths.Length; i++)
                {
                    Span<byte> slot = slots.Slice(i * slotOctets, slotOctets);
                    if (answered[i] != NotAnswered)
                    {
                        lengths[i] = Pass(slot, answered[i], tally, ref queries[i], ref clients[i]);
                        continue;
                    }
                    relay.Slot = firstSlot + i;
                    int length = Answer(
                        slot, DnsTransport.Udp, zones, zoneSlots[i], apexSkips[i], ref queries[i], ref clients[i], ref relay);
                    length = Limit(slot, length, DnsTransport.Udp, isRead: true, ref queries[i], ref clients[i]);
                    tally.Count(slot, length, DnsTransport.Udp, in queries[i], ref clients[i], zoneSlots[i]);
                    lengths[i] = Math.Max(length, 0);
                }
            }
            catch (Exception error) when (Exceptions is not null)
            {
                lengths[i] = Drop(error, slots.Slice(i * slotOctets, slotOctets), lengths[i]);
            }
    }

    /// <summary>Reads one of a group and asks for the memory that its answer begins with.</summary>
    /// <returns>Whether its zone is so large that its node is to be asked for too.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Read(
        Span<byte> slot, int queryOctets, ref ClientAddress client, ZoneSet zones, ref Query query, out int answered,
        ref ZoneSlot? zoneSlot, out int apexSkip)
    {
        apexSkip = 0;
        answered = Admit(slot, queryOctets, ref client, ref query);
        if (answered != NotAnswered) return false;
        _options.RateLimiter?.Prefetch(query.Name.Hash, ref client);
        zoneSlot = Resolution.FindZone(zones, in query.Name, query.Type, out apexSkip);
        if (zoneSlot?.Zone is not { } zone || zone.NameCount < LargeZoneNames) return false;
        zone.PrefetchSlot(in query.Name);
        return true;
    }

    /// <summary>Counts what was answered when it was read, unless the limit drops it.</summary>
    private int Pass(Span<byte> slot, int length, AnswerTally tally, ref Query query, ref ClientAddress client)
    {
        length = Limit(slot, length, DnsTransport.Udp, isRead: false, ref query, ref client);
        tally.CountUnread(slot, length, DnsTransport.Udp, ref client);
        return length;
    }

    /// <summary>Reports a defect of ours. The octets are those of the query as far as no answer was written over them.</summary>
    /// <returns>0, for no answer.</returns>
    private int Drop(Exception error, ReadOnlySpan<byte> slot, int queryOctets)
    {
        Exceptions!.Report(ServerLoop.Responder, error, slot[..Math.Clamp(queryOctets, 0, slot.Length)]);
        return 0;
    }

    private static void PrefetchNodes(Span<int> answered, ref FoundZones zoneSlots, ref Queries queries, int count)
    {
        for (int i = 0; i < count; i++)
            if (answered[i] == NotAnswered && zoneSlots[i]?.Zone is { } zone) zone.PrefetchNode(in queries[i].Name);
    }
}
