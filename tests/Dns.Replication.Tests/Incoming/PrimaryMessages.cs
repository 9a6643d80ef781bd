using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Messages of a primary, put together by hand: good ones and such as no server should send.</summary>
internal static class PrimaryMessages
{
    public const string Zone = "z.test";

    /// <summary>A reply with records of text in its answer section.</summary>
    public static QueryMessage Reply(PrimaryQuery query, params string[] records) => new()
    {
        Id = query.Id,
        Flags = MessageHeader.QueryResponse | MessageHeader.AuthoritativeAnswer,
        Question = WireOctets.Question(query.Zone.ToString(), query.Type),
        Answer = [.. records.Select(Record)],
    };

    /// <summary>
    /// Reads <c>OWNER TYPE RDATA</c> in the zone <see cref="Zone"/>; of an SOA the RDATA is its serial.
    /// </summary>
    public static byte[] Record(string text)
    {
        string[] words = text.Split(' ', 3);
        string owner = words[0] == "@" ? Zone : words[0].EndsWith('.') ? words[0] : words[0] + "." + Zone;
        (RRType type, byte[] rdata) = words[1] switch
        {
            "SOA" => (RRType.SOA, Soa(uint.Parse(words[2]))),
            "A" => (RRType.A, [.. words[2].Split('.').Select(byte.Parse)]),
            "NS" => (RRType.NS, WireOctets.Name(words[2])),
            "CNAME" => (RRType.CNAME, WireOctets.Name(words[2])),
            "DNAME" => (RRType.DNAME, WireOctets.Name(words[2])),
            "TXT" => (RRType.TXT,
                new byte[] { (byte)words[2].Length }.Concat(System.Text.Encoding.ASCII.GetBytes(words[2])).ToArray()),
            _ => throw new FormatException(text),
        };
        return WireOctets.Record(owner, type, 1, 300, rdata);
    }

    /// <summary>RDATA of an SOA: refresh 3600, retry 600, expire 86400, minimum 60.</summary>
    public static byte[] Soa(uint serial, uint refresh = 3600, uint retry = 600, uint expire = 86400) =>
    [
        .. WireOctets.Name("ns." + Zone), .. WireOctets.Name("hostmaster." + Zone), .. WireOctets.UInt32(serial),
        .. WireOctets.UInt32(refresh), .. WireOctets.UInt32(retry), .. WireOctets.UInt32(expire),
        .. WireOctets.UInt32(60),
    ];
}
