namespace Dns.Testing;

/// <summary>
/// Makes questions about the names of zones, near them, and far from them; and packets that are nearly queries.
/// </summary>
/// <remarks>The same random numbers and zones give the same packets.</remarks>
public sealed class QueryGenerator
{
    private static readonly RRType[] Types =
    [
        RRType.A, RRType.A, RRType.A, RRType.AAAA, RRType.NS, RRType.SOA, RRType.MX, RRType.TXT, RRType.CNAME,
        RRType.DNAME, RRType.DS, RRType.SRV, RRType.HTTPS, RRType.NAPTR, RRType.PTR, (RRType)65280,
    ];

    private static readonly RRType[] OddTypes =
    [
        RRType.ANY, RRType.RRSIG, RRType.NSEC, RRType.AXFR, RRType.IXFR, RRType.OPT, RRType.TSIG, RRType.TKEY,
        RRType.MAILA, RRType.MAILB, RRType.NXNAME, (RRType)0, (RRType)65535,
    ];

    private static readonly int[] Payloads = [0, 100, 512, 600, 1232, 1400, 4096, 65535];
    private static readonly byte[] Interesting = [0, 1, 11, 12, 0x29, 0x3F, 0x40, 0x41, 0x7F, 0x80, 0xC0, 0xC1,
        0xFA, 0xFF];

    private readonly Random _random;
    private readonly byte[][] _names;

    /// <summary>Asks about the names of these zones.</summary>
    public QueryGenerator(Random random, params Zone[] zones)
    {
        _random = random;
        List<byte[]> names = [[0], WireOctets.Name("version.bind"), WireOctets.Name("id.server"),
            WireOctets.Name("not.served")];
        foreach (Zone zone in zones)
            foreach (ZoneNode node in zone) names.Add(node.Name.ToArray());
        _names = [.. names];
    }

    /// <summary>A plain question: a name, a usual type, class IN.</summary>
    public byte[] NextQuestion() => [.. NextName(), .. WireOctets.UInt16((int)Pick(Types)), 0, 1];

    /// <summary>A well-formed query, plain or with anything that a query may carry.</summary>
    public byte[] NextQuery()
    {
        RRType type = _random.Next(10) switch
        {
            < 7 => Pick(Types),
            < 9 => Pick(OddTypes),
            _ => (RRType)_random.Next(65536),
        };
        int rrClass = _random.Next(20) == 0 ? _random.Next(6) : 1;
        int flags = _random.Next(8) == 0 ? _random.Next(0x0800) : _random.Next(2) << 8;
        QueryMessage query = new()
        {
            Id = (ushort)_random.Next(65536),
            Flags = (ushort)flags,
            Question = [.. NextName(), .. WireOctets.UInt16((int)type), .. WireOctets.UInt16(rrClass)],
        };
        if (_random.Next(10) < 6) query = query.With(NextOpt());
        if (_random.Next(30) == 0)
            query = query.With(WireOctets.Tsig(NameText.ToText(Pick(_names)), new byte[_random.Next(40)]));
        return query.ToOctets();
    }

    /// <summary>A packet with one to six changes that break it or do not.</summary>
    public byte[] Mutate(byte[] packet)
    {
        List<byte> octets = [.. packet];
        for (int left = _random.Next(1, 7); left > 0 && octets.Count > 0; left--)
        {
            int at = _random.Next(octets.Count), length = Math.Min(_random.Next(1, 24), octets.Count - at);
            switch (_random.Next(9))
            {
                case 0: octets[at] ^= (byte)(1 << _random.Next(8)); break;
                case 1: octets[at] = Pick(Interesting); break;
                case 2: octets[at] = (byte)_random.Next(256); break;
                case 3: octets.RemoveRange(at, length); break;
                case 4: octets.InsertRange(at, octets.GetRange(at, length)); break;
                case 5: octets.RemoveRange(at, octets.Count - at); break;
                case 6: octets.InsertRange(_random.Next(octets.Count), octets.GetRange(at, length)); break;
                case 7: octets[Math.Min(octets.Count - 1, 4 + _random.Next(8))] = (byte)_random.Next(3); break;
                default: octets.AddRange(WireOctets.Opt(1232, 0, 0)); break;
            }
        }
        return [.. octets];
    }

    /// <summary>A packet of random octets, up to 600 of them.</summary>
    public byte[] NextNoise()
    {
        byte[] octets = new byte[_random.Next(600)];
        _random.NextBytes(octets);
        if (octets.Length > 2) octets[2] &= 0x7F;
        return octets;
    }

    private byte[] NextOpt()
    {
        EdnsOptionCode[] codes =
            [EdnsOptionCode.Nsid, EdnsOptionCode.Expire, EdnsOptionCode.TcpKeepalive, EdnsOptionCode.ZoneVersion,
                EdnsOptionCode.Cookie, (EdnsOptionCode)100];
        byte[][] options = [.. codes.Where(_ => _random.Next(5) == 0)
            .Select(code => WireOctets.Option(code, code == EdnsOptionCode.Cookie ? new byte[8] : []))];
        return WireOctets.Opt(Pick(Payloads), _random.Next(30) == 0 ? 1 : 0,
            _random.Next(3) == 0 ? 0x8000 : 0, options);
    }

    /// <summary>
    /// A name of a zone, or one made of it: with labels in front, without its first, or in another spelling.
    /// </summary>
    private byte[] NextName()
    {
        byte[] name = Pick(_names);
        if (_random.Next(4) == 0 && name.Length > 1) name = name[(name[0] + 1)..];
        for (int labels = _random.Next(6) - 3; labels > 0; labels--)
        {
            byte[] label = _random.Next(20) == 0 ? new byte[_random.Next(1, 64)] : [(byte)"ab*x"[_random.Next(4)]];
            if (name.Length + label.Length + 1 <= WireName.MaxOctets) name = [(byte)label.Length, .. label, .. name];
        }
        if (_random.Next(4) != 0) return name;
        return [.. name.Select(
            octet => octet is >= (byte)'a' and <= (byte)'z' && _random.Next(2) == 0 ? (byte)(octet ^ 0x20) : octet)];
    }

    private T Pick<T>(T[] choices) => choices[_random.Next(choices.Length)];
}
