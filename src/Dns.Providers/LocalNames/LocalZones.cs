using System.Buffers.Binary;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <summary>
/// Zones that no server outside can answer for: reverse names of private and special addresses (RFC 6303, RFC 7793) and
/// names of special use (RFC 6761 and the registry it made). A forwarder answers them itself, so that they do not leak.
/// </summary>
public sealed class LocalZones
{
    private const uint TtlSeconds = 10800;

    private static readonly string[] Names =
    [
        .. Reverse("0", "10", "127", "254.169", "168.192", "2.0.192", "100.51.198", "113.0.203", "255.255.255.255"),
        .. Enumerable.Range(16, 16).Select(octet => $"{octet}.172.in-addr.arpa."),
        .. Enumerable.Range(64, 64).Select(octet => $"{octet}.100.in-addr.arpa."),
        Unspecified, Loopback, "d.f.ip6.arpa.", "8.e.f.ip6.arpa.", "9.e.f.ip6.arpa.", "a.e.f.ip6.arpa.", "b.e.f.ip6.arpa.",
        "8.b.d.0.1.0.0.2.ip6.arpa.",
        Localhost, "invalid.", "test.", "onion.", "local.", "alt.", "home.arpa.", "resolver.arpa.",
    ];

    private const string Localhost = "localhost.";
    private const string LoopbackNetwork = "127.in-addr.arpa.";
    private const string Unspecified = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa.";
    private const string Loopback = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa.";

    private readonly IReadOnlyList<ZoneSlot> _slots;

    /// <summary>Makes the zones, but for those that are forwarded.</summary>
    /// <param name="forwarded">One of the same name, or above one of these and not the root, takes its place.</param>
    public LocalZones(IEnumerable<DomainName> forwarded)
    {
        DomainName[] plans = PlansOf(forwarded);
        List<ZoneSlot> slots = [];
        foreach (string text in Names)
        {
            DomainName name = DomainName.Parse(text);
            if (IsPlanned(name, plans)) continue;
            ZoneSlot slot = new(name);
            slot.Publish(Build(text, name));
            slots.Add(slot);
        }
        _slots = slots;
    }

    /// <summary>Those that are answered beside the zones that the operator serves at a time.</summary>
    /// <param name="served">One of the same name, or above one of these and not the root, takes its place.</param>
    public IEnumerable<ZoneSlot> Beside(IEnumerable<DomainName> served)
    {
        DomainName[] plans = PlansOf(served);
        return _slots.Where(slot => !IsPlanned(slot.Name, plans));
    }

    private static DomainName[] PlansOf(IEnumerable<DomainName> names) =>
        [.. names.Where(name => !name.Equals(DomainName.Root) && IsNear(name))];

    private static bool IsPlanned(DomainName name, DomainName[] plans) =>
        Array.Exists(plans, plan => WireName.IsAtOrBelow(name.Octets, plan.Octets));

    private static readonly HashSet<DomainName> Near = [.. Names.SelectMany(WithAncestors)];

    /// <summary>Whether a name is one of ours or above one: of 100,000 zones served next to none is.</summary>
    private static bool IsNear(DomainName name) => Near.Contains(name);

    private static IEnumerable<DomainName> WithAncestors(string text)
    {
        for (byte[] octets = DomainName.Parse(text).Octets.ToArray(); octets.Length > 1; octets = octets[(octets[0] + 1)..])
            yield return DomainName.FromOctets(octets);
    }

    private static IEnumerable<string> Reverse(params string[] networks) =>
        networks.Select(network => network + ".in-addr.arpa.");

    /// <summary>SOA and NS as RFC 6303 §3 has them; the loopback names also have what they stand for.</summary>
    private static Zone Build(string text, DomainName apex)
    {
        ZoneBuilder builder = new(apex.Octets);
        byte[] nobody = DomainName.Parse("nobody.invalid.").Octets.ToArray();
        byte[] numbers = new byte[20];
        uint[] values = [1, 3600, 1200, 604800, TtlSeconds];
        for (int i = 0; i < values.Length; i++) BinaryPrimitives.WriteUInt32BigEndian(numbers.AsSpan(i * 4), values[i]);
        Add(apex.Octets, RRType.SOA, [.. apex.Octets, .. nobody, .. numbers]);
        Add(apex.Octets, RRType.NS, apex.Octets.ToArray());
        byte[] localhost = DomainName.Parse(Localhost).Octets.ToArray();
        if (text == Localhost)
        {
            // Everything below it is this machine too (RFC 6761 §6.3).
            foreach (byte[] owner in new[] { localhost, [1, (byte)'*', .. localhost] })
            {
                Add(owner, RRType.A, [127, 0, 0, 1]);
                Add(owner, RRType.AAAA, [.. new byte[15], 1]);
            }
        }
        else if (text == LoopbackNetwork) Add(DomainName.Parse("1.0.0." + text).Octets, RRType.PTR, localhost);
        else if (text == Loopback) Add(apex.Octets, RRType.PTR, localhost);
        return builder.Build();

        void Add(ReadOnlySpan<byte> owner, RRType type, byte[] rdata) =>
            builder.Add(owner, sameOwner: false, type, TtlSeconds, rdata);
    }
}
