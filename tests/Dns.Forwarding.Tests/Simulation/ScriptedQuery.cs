using System.Net;
using Dns.Testing;

namespace Dns.Forwarding.Tests;

/// <summary>A query as an upstream got it, and the ways to answer it.</summary>
internal sealed class ScriptedQuery
{
    /// <summary>The address in every forged answer.</summary>
    public const string Forged = "203.0.113.66";

    private readonly ScriptedStream? _stream;

    public ScriptedQuery(ScriptedUpstream upstream, byte[] octets, int port, ScriptedStream? stream, TimeSpan at)
    {
        Upstream = upstream;
        Octets = octets;
        Port = port;
        At = at;
        _stream = stream;
        Question = octets[MessageHeader.LengthOctets..WireOctets.QuestionEnd(octets)];
        Name = Question[..^4];
        OptReader opt = default;
        if (MessageReader.TryOpen(octets, out MessageReader message)) message.TryFindOpt(out opt);
        (HasEdns, DnssecOk, PayloadOctets) = (opt.IsPresent, opt.DnssecOk, opt.PayloadOctets);
        Cookie = opt.TryFind(EdnsOptionCode.Cookie, out ReadOnlySpan<byte> cookie) ? cookie.ToArray() : [];
    }

    public ScriptedUpstream Upstream { get; }
    public byte[] Octets { get; }
    public int Port { get; }
    public TimeSpan At { get; }
    public byte[] Question { get; }
    public byte[] Name { get; }
    public bool HasEdns { get; }
    public bool DnssecOk { get; }
    public int PayloadOctets { get; }
    public byte[] Cookie { get; }
    public bool IsStream => _stream is not null;
    public ushort Id => MessageHeader.Id(Octets);
    public RRType Type => (RRType)(Question[^4] << 8 | Question[^3]);

    /// <summary>Whether it is a probe: a query for the SOA of the root.</summary>
    public bool IsProbe => Type == RRType.SOA && Name.Length == 1;

    /// <summary>The name in lower case.</summary>
    public string Text => NameText.ToText(Name).ToLowerInvariant();

    /// <summary>What a true answer to the question about a name holds.</summary>
    public static string TrueAddress(string name)
    {
        uint hash = 2166136261;
        foreach (char c in name.ToLowerInvariant()) hash = (hash ^ c) * 16777619;
        return $"10.{hash >> 16 & 255}.{hash >> 8 & 255}.{hash & 255}";
    }

    /// <summary>The true answer: one address; for other types than A, none and no SOA.</summary>
    public byte[] TrueAnswer(uint ttl = 300, params byte[][] options) => Message(
        0x8180, Type == RRType.A ? [Address(TrueAddress(Text), ttl)] : [Soa()], isNegative: Type != RRType.A,
        options: options);

    /// <summary>A response made of parts.</summary>
    public byte[] Message(
        int flags, byte[][] records, bool isNegative = false, byte[]? question = null, int? id = null,
        byte[][]? options = null, int extendedRcode = 0)
    {
        bool withOpt = HasEdns && options is not null;
        byte[] opt = withOpt ? WireOctets.Opt(1232, extendedRcode << 8, 0, options!) : [];
        return
        [
            .. WireOctets.UInt16(id ?? Id), .. WireOctets.UInt16(flags), .. WireOctets.UInt16(1),
            .. WireOctets.UInt16(isNegative ? 0 : records.Length),
            .. WireOctets.UInt16(isNegative ? records.Length : 0),
            .. WireOctets.UInt16(withOpt ? 1 : 0), .. question ?? Question,
            .. records.SelectMany(record => record), .. opt,
        ];
    }

    /// <summary>An address record that owns the question's name.</summary>
    public static byte[] Address(string address, uint ttl = 300) =>
        [0xC0, 12, 0, 1, 0, 1, .. WireOctets.UInt32(ttl), 0, 4, .. IPAddress.Parse(address).GetAddressBytes()];

    public static byte[] Soa() => WireOctets.Record(".", RRType.SOA, 1, 60,
        [.. WireOctets.Name("."), .. WireOctets.Name("."), .. WireOctets.UInt32(1), .. WireOctets.UInt32(1),
            .. WireOctets.UInt32(1), .. WireOctets.UInt32(1), .. WireOctets.UInt32(60)]);

    /// <summary>A forged answer, right in everything that is not given.</summary>
    public byte[] Forge(int flags = 0x8180, byte[]? question = null, int? id = null) =>
        Message(flags, [Address(Forged)], question: question, id: id);

    /// <summary>Answers truly.</summary>
    public void Answer(double afterMs = 10) => Reply(TrueAnswer(), afterMs);

    /// <summary>Answers with a code and nothing else.</summary>
    public void Fail(Rcode code, double afterMs = 10) => Reply(Message(0x8180 | (int)code, []), afterMs);

    /// <summary>Sends a message back the way the query came.</summary>
    public void Reply(byte[] message, double afterMs = 10)
    {
        TimeSpan delay = TimeSpan.FromMilliseconds(afterMs);
        if (_stream is null) Upstream.Network.Deliver(Upstream.Address, Port, message, delay);
        else _stream.Deliver([.. WireOctets.UInt16(message.Length), .. message], delay, Upstream.StreamPieceOctets);
    }

    /// <summary>Closes the stream that the query came over.</summary>
    public void CloseStream(double afterMs = 0) => _stream?.Close(TimeSpan.FromMilliseconds(afterMs));
}
