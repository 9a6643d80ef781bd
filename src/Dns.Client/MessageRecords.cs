using System.Buffers;

namespace Dns.Client;

/// <summary>One record of a reply.</summary>
/// <param name="Owner">The owner in presentation form.</param>
/// <param name="Class">Its class; for OPT the payload (RFC 6891 §6.1.2).</param>
/// <param name="Ttl">Seconds; for OPT the extended RCODE, version and flags.</param>
/// <param name="Rdata">RDATA as received.</param>
/// <param name="Text">RDATA in presentation form.</param>
public sealed record MessageRecord(
    MessageSection Section, string Owner, RRType Type, RRClass Class, uint Ttl, byte[] Rdata, string Text);

/// <summary>Reads the records of a reply for display.</summary>
public static class MessageRecords
{
    /// <summary>Reads the questions and all records.</summary>
    /// <param name="message">The whole reply, header included.</param>
    /// <param name="questions">Receives each question as <c>name class type</c>.</param>
    /// <returns>False if the message is malformed; what came before is there.</returns>
    public static bool TryRead(ReadOnlySpan<byte> message, List<string> questions, List<MessageRecord> records)
    {
        if (!MessageReader.TryOpen(message, out MessageReader reader)) return false;
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        while (reader.TryReadQuestion(out QuestionReader question))
        {
            if (!question.TryExpandName(name, out int octets)) return false;
            string type = RRTypeText.Format(question.Type), @class = RRClassText.Format(question.Class);
            questions.Add($"{NameText.ToText(name[..octets])}\t{@class}\t{type}");
        }
        RecordReader record = reader.ReadRecords();
        while (record.TryRead())
        {
            if (!record.TryExpandOwner(name, out int octets)) return false;
            string text = record.Type == RRType.OPT ? "" : FormatRdata(in record);
            records.Add(new MessageRecord(
                record.Section, NameText.ToText(name[..octets]), record.Type, record.Class, record.Ttl,
                record.Rdata.ToArray(), text));
        }
        return !record.IsMalformed;
    }

    private static string FormatRdata(scoped in RecordReader record)
    {
        byte[] rdata = new byte[Rdata.MaxOctets];
        if (record.TryReadRdata(rdata, out int written)) return Rdata.Format(record.Type, rdata.AsSpan(0, written));
        ArrayBufferWriter<byte> text = new(256);
        Rdata.FormatGeneric(record.Rdata, text);
        return Encoding.ASCII.GetString(text.WrittenSpan);
    }
}
