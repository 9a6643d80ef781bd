using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// The TSIG record of a query (RFC 8945 §4.2), as far as a server without keys has to know it: every key is unknown.
/// </summary>
/// <remarks><code>
/// owner            name of the key; TYPE 250, CLASS ANY, TTL 0
/// RDATA            name of the algorithm
///                  48 bits time signed in seconds since 1970, 16 bits fudge in seconds
///                  16 bits MAC size, MAC
///                  16 bits original ID, 16 bits error, 16 bits other length, other data
/// </code></remarks>
internal static class TsigQuery
{
    private const int TimeAndFudgeOctets = 8;
    private const int AfterMacOctets = 6;

    internal static bool IsWellFormed(scoped in RecordReader record)
    {
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        if (!record.TryExpandOwner(name, out _) || record.Class != RRClass.ANY || record.Ttl != 0) return false;
        ReadOnlySpan<byte> rdata = record.Rdata;
        int length = rdata.Length;
        // The algorithm's name is not compressed (RFC 8945 §4.2).
        if (!WireName.TryMeasure(rdata, out int algorithm)) return false;
        int position = algorithm + TimeAndFudgeOctets;
        if (position + 2 > length) return false;
        position += 2 + BinaryPrimitives.ReadUInt16BigEndian(rdata[position..]);
        if (position + AfterMacOctets > length) return false;
        return position + AfterMacOctets + BinaryPrimitives.ReadUInt16BigEndian(rdata[(position + 4)..]) == length;
    }

    /// <summary>
    /// Takes out of the query what the answer to an unknown key repeats (RFC 8945 §5.2.1) as a complete record:
    /// error 17, empty MAC.
    /// </summary>
    /// <param name="message">The query, its TSIG found well-formed.</param>
    /// <param name="start">Where the record starts.</param>
    /// <param name="record">Receives the record; at least 600 octets.</param>
    /// <returns>The record's length in octets.</returns>
    internal static int WriteUnknownKey(ReadOnlySpan<byte> message, int start, Span<byte> record)
    {
        WireName.TryExpand(message, ref start, record, out int written);
        message.Slice(start, 8).CopyTo(record[written..]);
        written += 8;
        ReadOnlySpan<byte> rdata = message[(start + 10)..];
        WireName.TryMeasure(rdata, out int algorithm);
        int signedPart = algorithm + TimeAndFudgeOctets;
        int macOctets = BinaryPrimitives.ReadUInt16BigEndian(rdata[signedPart..]);
        BinaryPrimitives.WriteUInt16BigEndian(record[written..], (ushort)(signedPart + 2 + AfterMacOctets));
        rdata[..signedPart].CopyTo(record[(written + 2)..]);
        written += 2 + signedPart;
        BinaryPrimitives.WriteUInt16BigEndian(record[written..], 0);
        rdata.Slice(signedPart + 2 + macOctets, 2).CopyTo(record[(written + 2)..]);
        BinaryPrimitives.WriteUInt16BigEndian(record[(written + 4)..], (ushort)Rcode.BadKey);
        BinaryPrimitives.WriteUInt16BigEndian(record[(written + 6)..], 0);
        return written + 8;
    }
}
