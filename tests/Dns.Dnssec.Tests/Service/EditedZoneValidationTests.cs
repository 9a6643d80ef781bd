using System.Net;
using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>A zone that is signed and served validates at every moment, a thousand changes long.</summary>
public sealed class EditedZoneValidationTests : IMessageSource
{
    private const int Changes = 1000;
    private const string Text = """
        $TTL 300
        @ SOA ns host 1 3600 600 86400 60
        @ NS ns
        ns A 192.0.2.1
        a.b A 192.0.2.2
        * TXT "any"
        """;

    private readonly byte[] _room = new byte[ushort.MaxValue];
    private Responder? _responder;

    public byte[]? Query(DomainName name, RRType type)
    {
        byte[] query = QueryMessage.For($"{name} {RRTypeText.Format(type)}").WithEdns(dnssecOk: true).ToOctets();
        query.CopyTo(_room, 0);
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
        return _room[.._responder!.Respond(_room, query.Length, DnsTransport.Tcp, ref client)];
    }

    [Theory]
    [InlineData("nsec", 1)]
    [InlineData("nsec3", 2)]
    [InlineData("opt-out", 3)]
    [InlineData("compact", 4)]
    public void Every_answer_validates_while_the_zone_is_edited(string denial, int seed)
    {
        using SigningRig rig = new("example.");
        rig.Policies["default"] = DnssecPolicy.Default with
        {
            Denial = denial switch { "nsec" => DenialMethod.Nsec, "compact" => DenialMethod.Compact,
                _ => DenialMethod.Nsec3 },
            OptOut = denial == "opt-out",
        };
        rig.Start();
        _responder = new Responder(rig.Registry.Published, new ResponderOptions());
        Random random = new(seed);
        Zone source = ZoneText.Load("example", Text);
        rig.Publish(source);
        int secure = 0;
        for (int i = 0; i < Changes; i++)
        {
            (Zone next, ZoneDelta delta) = RandomChange.Make(source, random);
            while (HasOddWildcard(delta)) (next, delta) = RandomChange.Make(source, random);
            rig.Slot.Publish(source = next, null, delta);
            TrustAnchor anchor = TrustAnchor.OfKey(DomainName.Parse("example"), KeyOf(rig.Slot.Zone!));
            AnswerValidator validator = new(this, [anchor], rig.Clock.GetUtcNow());
            for (int question = 0; question < 4; question++)
            {
                (DomainName name, RRType type) = RandomQuestion(random);
                ValidationResult result = validator.Validate(name, type);
                // An alias out of the zone leads to a name without a server.
                bool isElsewhere = result.Reason.EndsWith("elsewhere.test. is REFUSED", StringComparison.Ordinal);
                Assert.True(
                    result.Status is SecurityStatus.Secure or SecurityStatus.Insecure || isElsewhere,
                    $"seed {seed}, change {i}, {name} {type}: {result.Status} {result.Reason}\n" +
                        $"{SignedZoneText.Of(rig.Slot.Zone!)}");
                if (result.Status == SecurityStatus.Secure) secure++;
            }
        }
        // Below unsigned delegations nothing is.
        Assert.InRange(secure, Changes, 4 * Changes);
    }

    /// <summary>
    /// What a wildcard with these types means is not defined (RFC 4592 §4.2, RFC 6672 §3.3), and validators differ; one
    /// that is an alias leads to itself here.
    /// </summary>
    private static bool HasOddWildcard(ZoneDelta delta)
    {
        foreach (RecordList.ListedRecord record in delta.Added)
            if (record.Type is RRType.NS or RRType.DS or RRType.DNAME or RRType.CNAME &&
                record.Owner[..2].SequenceEqual("\u0001*"u8)) return true;
        return false;
    }

    private static (DomainName, RRType) RandomQuestion(Random random)
    {
        string[] labels = ["a", "b", "c", "*", "z", "ns", "\\000", "-", "none", "d\\.e"];
        string name = "example.";
        for (int count = random.Next(0, 4); count > 0; count--) name = $"{labels[random.Next(labels.Length)]}.{name}";
        RRType[] types = [RRType.A, RRType.TXT, RRType.MX, RRType.DS, RRType.AAAA, RRType.NS];
        // Whether there is a DS at the zone's own name is the parent's to say.
        return (DomainName.Parse(name), name == "example." ? RRType.SOA : types[random.Next(types.Length)]);
    }

    private static Dnskey KeyOf(Zone zone)
    {
        Assert.True(zone.ApexNode.TryFind(RRType.DNSKEY, out RRset keys));
        Assert.True(Dnskey.TryRead(keys.First, out Dnskey? key));
        return key;
    }
}
