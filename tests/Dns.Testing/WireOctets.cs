using System.Buffers.Binary;

namespace Dns.Testing;

/// <summary>Octets of the wire from text, for queries that are put together by hand.</summary>
public static class WireOctets
{
    /// <summary>The wire form of a name; a missing final dot is supplied.</summary>
    public static byte[] Name(string text) => DomainName.Parse(text).Octets.ToArray();

    /// <summary>Octets from hexadecimal digits; blanks are allowed.</summary>
    public static byte[] Hex(string digits) => Convert.FromHexString(digits.Replace(" ", ""));

    /// <summary>Sixteen bits in network order.</summary>
    public static byte[] UInt16(int value) => [(byte)(value >> 8), (byte)value];

    /// <summary>Thirty-two bits in network order.</summary>
    public static byte[] UInt32(uint value)
    {
        byte[] octets = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(octets, value);
        return octets;
    }

    /// <summary>A question.</summary>
    public static byte[] Question(string name, RRType type, RRClass rrClass = RRClass.IN) =>
        [.. Name(name), .. UInt16((int)type), .. UInt16((int)rrClass)];

    /// <summary>Where the first question of a message ends.</summary>
    public static int QuestionEnd(ReadOnlySpan<byte> message) =>
        MessageReader.TryOpen(message, out MessageReader reader) && reader.TryReadQuestion(out QuestionReader question)
            ? question.EndOffset : throw new InvalidDataException($"no question in {Convert.ToHexString(message)}");

    /// <summary>A record with an uncompressed owner.</summary>
    public static byte[] Record(string owner, RRType type, int rrClass, uint ttl, byte[] rdata) =>
        [.. Name(owner), .. UInt16((int)type), .. UInt16(rrClass), .. UInt32(ttl), .. UInt16(rdata.Length), .. rdata];

    /// <summary>An EDNS option.</summary>
    public static byte[] Option(EdnsOptionCode code, byte[] data) =>
        [.. UInt16((int)code), .. UInt16(data.Length), .. data];

    /// <summary>An OPT record (RFC 6891 §6.1.2).</summary>
    /// <param name="payload">The size announced, in octets.</param>
    /// <param name="version">The EDNS version.</param>
    /// <param name="flags">DO and the fifteen bits behind it.</param>
    /// <param name="options">The options.</param>
    public static byte[] Opt(int payload, int version, int flags, params byte[][] options) =>
        Record(".", RRType.OPT, payload, (uint)(version << 16 | flags), [.. options.SelectMany(option => option)]);

    /// <summary>A TSIG record (RFC 8945 §4.2).</summary>
    /// <param name="key">The key's name.</param>
    /// <param name="mac">The MAC; any octets.</param>
    /// <param name="rrClass">ANY in a well-formed message.</param>
    /// <param name="ttl">0 in a well-formed message.</param>
    public static byte[] Tsig(string key, byte[] mac, RRClass rrClass = RRClass.ANY, uint ttl = 0) =>
        Record(key, RRType.TSIG, (int)rrClass, ttl,
            [.. Name("hmac-sha256"), .. Hex("00006543210F012C"), .. UInt16(mac.Length), .. mac,
                .. Hex("1234 0000 0000")]);
}
