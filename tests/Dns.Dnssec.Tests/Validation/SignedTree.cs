using System.Net;
using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// Zones from the root down, signed and served by the real responder: <c>example</c> below the root,
/// <c>child.example</c> with DS, and <c>plain.example</c> without.
/// </summary>
internal sealed class SignedTree : IMessageSource
{
    private const string Example = """
        $TTL 3600
        @ SOA ns host 1 3600 600 86400 300
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.2
        www AAAA 2001:db8::2
        alias CNAME www
        far CNAME www.child
        nowhere CNAME missing
        *.wild TXT "x"
        a.b.c A 192.0.2.3
        d DNAME child
        child NS ns
        plain NS ns
        plain2 NS ns
        child2 NS ns
        """;

    private readonly ServedZones _served;
    private readonly byte[] _room = new byte[ushort.MaxValue];

    internal SignedTree(string denial, DateTimeOffset? now = null)
    {
        DateTimeOffset at = now ?? Plans.Now;
        SigningPlan child = Plans.With([Plans.Ksk], [Plans.Zsk], Plans.Denial("nsec"));
        SigningPlan example = Plans.OneKey(Plans.Denial(denial));
        string root =
            $"$TTL 3600\n@ SOA ns.example host.example 1 3600 600 86400 300\n@ NS ns.example.\nexample NS " +
                $"ns.example.\nexample {Ds("example", Plans.Csk)}";
        Zones =
        [
            SignedSource.Sign(Plans.With([Plans.NextKsk], [Plans.NextZsk]), root, ".", at),
            SignedSource.Sign(example,
                $"{Example}\nchild {Ds("child.example", Plans.Ksk)}\nchild2 {Ds("child2.example", Plans.Ksk)}",
                "example", at),
            SignedSource.Sign(child, "$TTL 60\n@ SOA ns host 1 3600 600 86400 300\n@ NS ns.example.\nwww A 192.0.2.9\n",
                "child.example", at),
            ZoneText.Load("plain.example",
                "$TTL 60\n@ SOA ns host 1 3600 600 86400 300\n@ NS ns.example.\nwww A 192.0.2.10\n"),
        ];
        _served = new ServedZones(new ResponderOptions(), [.. Zones.Select(SlotOf)]);
    }

    internal SignedTree(params Zone[] zones)
    {
        Zones = zones;
        _served = new ServedZones(new ResponderOptions(), [.. zones.Select(SlotOf)]);
    }

    /// <summary>The zones, the root first.</summary>
    internal Zone[] Zones { get; }

    /// <summary>What changes replies on their way; null = nothing does.</summary>
    internal Func<DomainName, RRType, byte[], byte[]?>? OnTheWay { get; set; }

    internal static TrustAnchor[] Anchors => [TrustAnchor.OfKey(DomainName.Root, Plans.NextKsk.Public)];

    public byte[]? Query(DomainName name, RRType type)
    {
        byte[] query = QueryMessage.For($"{name} {RRTypeText.Format(type)}").WithEdns(dnssecOk: true).ToOctets();
        query.CopyTo(_room, 0);
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
        byte[] reply = _room[.._served.Responder.Respond(_room, query.Length, DnsTransport.Tcp, ref client)];
        return OnTheWay is null ? reply : OnTheWay(name, type, reply);
    }

    internal ValidationResult Validate(string name, RRType type, DateTimeOffset? now = null) =>
        new AnswerValidator(this, Anchors, now ?? Plans.Now).Validate(DomainName.Parse(name), type);

    private static ZoneSlot SlotOf(Zone zone)
    {
        ZoneSlot slot = new(DomainName.FromOctets(zone.Apex));
        slot.Publish(zone);
        return slot;
    }

    private static string Ds(string zone, SigningKey key)
    {
        Assert.True(key.Public.TryMakeDs(WireOctets.Name(zone), DsDigest.Sha256, out byte[] rdata));
        return $"DS {Rdata.Format(RRType.DS, rdata)}";
    }
}
