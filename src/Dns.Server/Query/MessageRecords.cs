using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>One record of a reply.</summary>
/// <param name="Section">1 answer, 2 authority, 3 additional.</param>
/// <param name="Owner">The owner in presentation form.</param>
/// <param name="Type">Its type.</param>
/// <param name="Class">Its class; for OPT the payload (RFC 6891 §6.1.2).</param>
/// <param name="Ttl">Seconds; for OPT the extended RCODE, version and flags.</param>
/// <param name="Rdata">RDATA as it came.</param>
/// <param name="Text">RDATA in presentation form.</param>
internal sealed record MessageRecord(
    int Section, string Owner, RRType Type, RRClass Class, uint Ttl, byte[] Rdata, string Text);

/// <summary>Reads the records of a reply, for people.</summary>
internal static class MessageRecords
{
    /// <summary>Reads the questions and all records.</summary>
    /// <param name="message">The whole reply, header included.</param>
    /// <param name="questions">Receives each question as <c>name class type</c>.</param>
    /// <param name="records">Receives the records.</param>
    /// <returns>False if the message is malformed; what came before is there.</returns>
    public static bool TryRead(ReadOnlySpan<byte> message, List<string> questions, List<MessageRecord> records)
    {
        int position = MessageHeader.LengthOctets;
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        for (int i = MessageHeader.Count(message, 0); i > 0; i--)
        {
            if (!WireName.TryExpand(message, ref position, name, out int length)) return false;
            if (position + 4 > message.Length) return false;
            string type = RRTypeText.Format((RRType)BinaryPrimitives.ReadUInt16BigEndian(message[position..]));
            string @class = RRClassText.Format((RRClass)BinaryPrimitives.ReadUInt16BigEndian(message[(position + 2)..]));
            questions.Add($"{NameText.ToText(name[..length])}\t{@class}\t{type}");
            position += 4;
        }
        for (int section = 1; section <= 3; section++)
            for (int i = MessageHeader.Count(message, section); i > 0; i--)
            {
                if (ReadRecord(message, ref position, section) is not { } record) return false;
                records.Add(record);
            }
        return position == message.Length;
    }

    private static MessageRecord? ReadRecord(ReadOnlySpan<byte> message, ref int position, int section)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        if (!WireName.TryExpand(message, ref position, owner, out int ownerOctets)) return null;
        if (position + 10 > message.Length) return null;
        RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(message[position..]);
        RRClass @class = (RRClass)BinaryPrimitives.ReadUInt16BigEndian(message[(position + 2)..]);
        uint ttl = BinaryPrimitives.ReadUInt32BigEndian(message[(position + 4)..]);
        int length = BinaryPrimitives.ReadUInt16BigEndian(message[(position + 8)..]);
        position += 10;
        if (position + length > message.Length) return null;
        string text = type == RRType.OPT ? "" : FormatRdata(type, message, position, length);
        MessageRecord record = new(section, NameText.ToText(owner[..ownerOctets]), type, @class, ttl,
            message.Slice(position, length).ToArray(), text);
        position += length;
        return record;
    }

    private static string FormatRdata(RRType type, ReadOnlySpan<byte> message, int position, int length)
    {
        ArrayBufferWriter<byte> text = new(256);
        byte[] rdata = new byte[Rdata.MaxOctets];
        if (Rdata.TryRead(type, message, position, length, rdata, out int written))
            Rdata.Format(type, rdata.AsSpan(0, written), text);
        else
            Rdata.FormatGeneric(message.Slice(position, length), text);
        return Encoding.Latin1.GetString(text.WrittenSpan);
    }
}
