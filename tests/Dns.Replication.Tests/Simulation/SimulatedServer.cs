using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>
/// What a server answers, over the real types: queries by the responder, transfers out of the history, NOTIFY. Its
/// zones are those of whoever claims names in its registry; it can be a source itself.
/// </summary>
internal sealed class SimulatedServer : IZoneSource
{
    private readonly OutgoingTransfers _transfers;
    private readonly Responder _responder;
    private readonly IncomingNotifies _notifies;
    private readonly Dictionary<DomainName, ZoneSlot> _slots = [];

    public SimulatedServer(VirtualClock clock, TsigKeyRing? keys = null, TimeProvider? time = null)
    {
        TimeProvider wall = time ?? clock;
        keys ??= TsigKeyRing.Empty;
        Registry = new ZoneRegistry(Published);
        History.Follow(Registry);
        PeerList everybody = new([new PeerRule([IPNetwork.Parse("0.0.0.0/0")], keys.Keys.FirstOrDefault()?.Name)]);
        _transfers = new OutgoingTransfers(wall, _ => everybody) { History = History, Keys = keys };
        _notifies = new IncomingNotifies(wall) { Keys = keys };
        _responder = new Responder(Published,
            new ResponderOptions { Keys = keys, UnixSeconds = () => wall.GetUtcNow().ToUnixTimeSeconds() });
    }

    public PublishedZones Published { get; } = new();

    public ZoneRegistry Registry { get; }

    public ZoneHistory History { get; } = new();

    /// <summary>Messages answered so far, by type.</summary>
    public Dictionary<RRType, int> Asked { get; } = [];

    /// <summary>Serves a version made here.</summary>
    public void Publish(string apex, string text) => Publish(ZoneText.Load(apex, text), null);

    /// <summary>Serves a version made here.</summary>
    public void Publish(Zone zone) => Publish(zone, null);

    /// <summary>Changes a zone made here, and moves its serial on.</summary>
    public uint Change(string apex, Action<ZoneDeltaBuilder> change)
    {
        Zone before = _slots[DomainName.Parse(apex)].Zone!;
        ZoneDeltaBuilder delta = new(DomainName.Parse(apex), before.Serial);
        before.ApexNode.TryFind(RRType.SOA, out RRset soa);
        byte[] next = soa.First.ToArray();
        WireOctets.UInt32(before.Serial + 1).CopyTo(next, next.Length - 20);
        delta.Remove(before.Apex, RRType.SOA, soa.First);
        delta.Add(before.Apex, RRType.SOA, soa.Ttl, next);
        change(delta);
        ZoneDelta built = delta.Build();
        ZoneEditResult result = ZoneEditor.From(before).Apply(built);
        Publish(result.Zone ?? throw new InvalidOperationException(result.Error!.Message), built);
        return result.Zone.Serial;
    }

    private void Publish(Zone zone, ZoneDelta? delta)
    {
        DomainName name = DomainName.FromOctets(zone.Apex);
        if (_slots.TryGetValue(name, out ZoneSlot? slot))
        {
            slot.Publish(zone, null, delta);
            return;
        }
        _slots[name] = slot = new ZoneSlot(name);
        slot.Publish(zone);
        Registry.Change(this, [], [slot]);
    }

    /// <summary>Answers as a server does.</summary>
    public IEnumerator<byte[]>? Answer(byte[] message, IPEndPoint client, bool isReliable)
    {
        byte[] room = new byte[isReliable ? ushort.MaxValue : 1232];
        message.CopyTo(room, 0);
        QueryOrigin origin = new(ClientAddress.From(client), isReliable ? DnsTransport.Tcp : DnsTransport.Udp, 0);
        if (MessageHeader.OpcodeOf(MessageHeader.Flags(message)) == Opcode.Notify)
            return One(room, _notifies.Answer(room, message.Length, ref origin, Published.Current));
        RRType type =
            (RRType)(message[WireOctets.QuestionEnd(message) - 4] << 8 | message[WireOctets.QuestionEnd(message) - 3]);
        Asked[type] = Asked.GetValueOrDefault(type) + 1;
        if (type is RRType.AXFR or RRType.IXFR)
        {
            TransferReply reply = _transfers.Answer(room, message.Length, ref origin, Published.Current);
            if (reply.Sequence is not null) return Pull(reply.Sequence);
            if (reply.Octets > 0) return One(room, reply.Octets);
        }
        return One(room, _responder.Respond(room, message.Length, ref origin));
    }

    private static IEnumerator<byte[]> One(byte[] room, int octets)
    {
        yield return room[..octets];
    }

    private static IEnumerator<byte[]> Pull(IReplySequence sequence)
    {
        byte[] room = new byte[ushort.MaxValue];
        using (sequence)
            while (sequence.WriteNext(room, out int octets) == SequenceStep.Written) yield return room[..octets];
    }

    Task<ZoneLoadSummary> IZoneSource.StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation) =>
        Task.FromResult(default(ZoneLoadSummary));

    Task<ZoneLoadSummary> IZoneSource.ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

    Task IZoneSource.StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    ZoneOrigin IZoneSource.OriginOf(ZoneSlot slot) => new("the test", null);
}
