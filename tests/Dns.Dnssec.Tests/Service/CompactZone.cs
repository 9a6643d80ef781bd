using System.Net;
using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>A zone with compact denial, signed and served by the real parts, and a client.</summary>
internal sealed class CompactZone : IMessageSource, IDisposable
{
    internal const string Text = """
        $TTL 300
        @ SOA ns host 1 3600 600 86400 60
        @ NS ns
        @ MX 10 ns
        ns A 192.0.2.1
        a.b A 192.0.2.2
        *.wild TXT "any"
        alias CNAME ns
        lost CNAME missing
        tree DNAME b
        cut NS ns.cut
        ns.cut A 192.0.2.3
        safe NS ns.safe
        safe DS 12345 13 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B
        ns.safe A 192.0.2.4
        odd TYPE1234 \# 1 00
        """;

    private readonly byte[] _room = new byte[ushort.MaxValue];

    internal CompactZone(DnssecPolicy? policy = null, SigningLimiter? limiter = null, long? cacheOctets = null,
        string text = Text)
    {
        Rig = new SigningRig("example.") { OnlineCacheOctets = cacheOctets ?? 1 << 20 };
        Rig.Policies["default"] = policy ?? Policy;
        Rig.Start();
        Rig.Publish(ZoneText.Load("example", text));
        Responder = new Responder(Rig.Registry.Published, new ResponderOptions { SigningLimiter = limiter });
    }

    internal static DnssecPolicy Policy { get; } = DnssecPolicy.Default with { Denial = DenialMethod.Compact };

    internal SigningRig Rig { get; }

    internal Responder Responder { get; set; }

    internal ClientAddress Client { get; set; } = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));

    internal long Made => Rig.Signing.OnlineSignatures;

    public byte[]? Query(DomainName name, RRType type) =>
        Ask(Query($"{name} {RRTypeText.Format(type)}"), DnsTransport.Tcp).Octets;

    /// <summary>Asks with DO.</summary>
    internal Reply Ask(string question) => Ask(Query(question), DnsTransport.Tcp);

    internal Reply Ask(QueryMessage message, DnsTransport transport)
    {
        byte[] query = message.ToOctets();
        query.CopyTo(_room, 0);
        ClientAddress client = Client;
        return Reply.Read(_room[..Responder.Respond(_room, query.Length, transport, ref client)]);
    }

    /// <summary>A query with DO, and optionally CO.</summary>
    internal static QueryMessage Query(string question, bool compactOk = false) =>
        QueryMessage.For(question).With(WireOctets.Opt(1232, 0, compactOk ? 0xC000 : 0x8000, []));

    /// <summary>A validator that trusts the keys that the zone has now.</summary>
    internal AnswerValidator Validator()
    {
        Assert.True(Rig.Slot.Zone!.ApexNode.TryFind(RRType.DNSKEY, out RRset keys));
        List<TrustAnchor> anchors = [];
        foreach (ReadOnlySpan<byte> rdata in keys)
            if (Dnskey.TryRead(rdata, out Dnskey? key))
                anchors.Add(TrustAnchor.OfKey(DomainName.Parse("example"), key));
        return new AnswerValidator(this, anchors, Rig.Clock.GetUtcNow());
    }

    public void Dispose() => Rig.Dispose();
}
