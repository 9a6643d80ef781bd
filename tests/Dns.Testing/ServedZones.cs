using System.Net;

namespace Dns.Testing;

/// <summary>Zones given as text and a responder over them, to ask without a network.</summary>
/// <remarks>
/// The room for an answer is what a worker has, <see cref="ResponderOptions.MaxUdpPayload"/> or a whole frame, and is
/// filled with 0xCC before the query goes in. Every reply is read strictly and checked for what is true of all of them.
/// </remarks>
public sealed class ServedZones
{
    /// <summary>What fills the room of an answer.</summary>
    public const byte Filler = 0xCC;

    private readonly ResponderOptions _options;

    /// <summary>Serves zones with the given options.</summary>
    public ServedZones(ResponderOptions options, params (string Apex, string Text)[] zones)
        : this(options, [.. zones.Select(zone => SlotOf(zone.Apex, zone.Text))])
    {
    }

    /// <summary>Serves zones with the default options.</summary>
    public ServedZones(params (string Apex, string Text)[] zones) : this(new ResponderOptions(), zones)
    {
    }

    /// <summary>Serves slots, also such as have no data.</summary>
    public ServedZones(ResponderOptions options, params ZoneSlot[] slots) : this(options, null, slots)
    {
    }

    /// <summary>Serves slots beside names that others are asked for.</summary>
    public ServedZones(ResponderOptions options, IForwardedZones? forwarded, params ZoneSlot[] slots)
    {
        _options = options;
        Published.Publish(ZoneSet.Create(slots));
        Responder = new Responder(Published, options, forwarded);
    }

    /// <summary>Serves slots of which at most so many are counted one by one.</summary>
    public ServedZones(int mostZonesCounted, params ZoneSlot[] slots)
    {
        _options = new ResponderOptions();
        Published.Publish(ZoneSet.Create(slots));
        Responder = new Responder(Published, _options) { Counters = new AnswerCounters(mostZonesCounted) };
    }

    /// <summary>What the responder reads its zones from.</summary>
    public PublishedZones Published { get; } = new();

    /// <summary>What answers.</summary>
    public Responder Responder { get; }

    /// <summary>Makes the slot of one zone.</summary>
    public static ZoneSlot SlotOf(string apex, string text)
    {
        ZoneSlot slot = new(DomainName.Parse(apex));
        slot.Publish(ZoneText.Load(apex, text));
        return slot;
    }

    /// <summary>Asks <c>NAME [TYPE [CLASS]]</c> over UDP, without EDNS.</summary>
    public Reply Ask(string question) => Ask(QueryMessage.For(question));

    /// <summary>Asks over UDP.</summary>
    public Reply Ask(QueryMessage query) => Ask(query.ToOctets());

    /// <summary>Asks over UDP.</summary>
    public Reply Ask(byte[] query) => TryAsk(query) ?? throw new InvalidDataException("there was no answer");

    /// <summary>Asks over TCP.</summary>
    public Reply AskOverTcp(QueryMessage query) =>
        TryAsk(query.ToOctets(), DnsTransport.Tcp) ?? throw new InvalidDataException("there was no answer");

    /// <summary>Asks; null if there is no answer.</summary>
    /// <param name="query">The message.</param>
    /// <param name="transport">Its transport.</param>
    /// <param name="port">The client's port.</param>
    /// <param name="from">The client's address; null is the loopback's.</param>
    public Reply? TryAsk(
        byte[] query, DnsTransport transport = default, int port = 53000, string? from = null)
    {
        bool isDatagram = !transport.IsReliable;
        byte[] room = new byte[isDatagram ? _options.MaxUdpPayload : ushort.MaxValue];
        Array.Fill(room, Filler);
        query.AsSpan(0, Math.Min(query.Length, room.Length)).CopyTo(room);
        ClientAddress client =
            ClientAddress.From(new IPEndPoint(from is null ? IPAddress.Loopback : IPAddress.Parse(from), port));
        int length = Responder.Respond(room, query.Length, transport, ref client);
        if (length == 0) return null;
        Reply reply = Reply.Read(room[..length]);
        ReplyRules.Check(query, reply,
            isDatagram ? Math.Min(ReplyRules.PayloadOf(query), _options.MaxUdpPayload) : ushort.MaxValue);
        return reply;
    }
}
