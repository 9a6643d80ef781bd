using System.Text.Encodings.Web;
using System.Text.Json;

namespace Dns.Client;

/// <summary>A reply as JSON (RFC 8427), and how it came. Flags are 0 or 1, as in the examples of the RFC.</summary>
public static class MessageJson
{
    private static readonly string[] Sections = ["questionRRs", "answerRRs", "authorityRRs", "additionalRRs"];
    private static readonly string[] Counts = ["QDCOUNT", "ANCOUNT", "NSCOUNT", "ARCOUNT"];

    private static readonly (ushort Bit, string Name)[] Flags =
    [
        (MessageHeader.QueryResponse, "QR"), (MessageHeader.AuthoritativeAnswer, "AA"), (MessageHeader.Truncated, "TC"),
        (MessageHeader.RecursionDesired, "RD"), (MessageHeader.RecursionAvailable, "RA"),
        (MessageHeader.AuthenticData, "AD"), (MessageHeader.CheckingDisabled, "CD"),
    ];

    // For jq, not for a page.
    private static readonly JsonWriterOptions Indented =
        new() { Indented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Writes a reply; returns whether it is well-formed, as does <c>malformed</c>.</summary>
    public static bool Write(QueryRequest request, QueryReply reply, TextWriter output)
    {
        List<MessageRecord> records = [];
        bool isWhole = MessageRecords.TryRead(reply.Message, [], records);
        using MemoryStream text = new();
        using (Utf8JsonWriter json = new(text, Indented))
        {
            json.WriteStartObject();
            json.WriteString("server", reply.Server.ToString());
            json.WriteString("transport", reply.IsTcp ? "TCP" : "UDP");
            json.WriteNumber("milliseconds", Math.Round(reply.Elapsed.TotalMilliseconds, 3));
            if (!isWhole) json.WriteBoolean("malformed", true);
            WriteHeader(json, reply.Message, records.Find(record => record.Type == RRType.OPT));
            json.WriteString("QNAME", request.Name.ToString());
            WriteType(json, "QTYPE", (ushort)request.Type, RRTypeText.Format(request.Type));
            WriteType(json, "QCLASS", (ushort)request.Class, RRClassText.Format(request.Class));
            for (MessageSection section = MessageSection.Answer; section <= MessageSection.Additional; section++)
                WriteSection(json, section, records);
            json.WriteEndObject();
        }
        output.WriteLine(System.Text.Encoding.UTF8.GetString(text.ToArray()));
        return isWhole;
    }

    private static void WriteHeader(Utf8JsonWriter json, byte[] message, MessageRecord? opt)
    {
        ushort flags = MessageHeader.Flags(message);
        json.WriteNumber("ID", MessageHeader.Id(message));
        json.WriteNumber("Opcode", (int)MessageHeader.OpcodeOf(flags));
        foreach (var (bit, name) in Flags) json.WriteNumber(name, (flags & bit) != 0 ? 1 : 0);
        // The upper eight bits of the RCODE stand in OPT (RFC 6891 §6.1.3).
        Rcode rcode = (Rcode)(flags & MessageHeader.RcodeMask | (int)((opt?.Ttl ?? 0) >> 24 << 4));
        WriteType(json, "RCODE", (int)rcode, RcodeText.Format(rcode));
        for (int section = 0; section < Counts.Length; section++)
            json.WriteNumber(Counts[section], MessageHeader.Count(message, section));
    }

    private static void WriteSection(Utf8JsonWriter json, MessageSection section, List<MessageRecord> records)
    {
        json.WriteStartArray(Sections[(int)section]);
        foreach (MessageRecord record in records)
        {
            if (record.Section != section) continue;
            string type = RRTypeText.Format(record.Type);
            json.WriteStartObject();
            json.WriteString("NAME", record.Owner);
            WriteType(json, "TYPE", (ushort)record.Type, type);
            WriteType(json, "CLASS", (ushort)record.Class, RRClassText.Format(record.Class));
            json.WriteNumber("TTL", record.Ttl);
            // As octets only where no name can be compressed: a pointer means nothing outside its message.
            if (record.Type == RRType.OPT) json.WriteString("RDATAHEX", Convert.ToHexString(record.Rdata));
            else json.WriteString("rdata" + type, record.Text);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private static void WriteType(Utf8JsonWriter json, string name, int number, string mnemonic)
    {
        json.WriteNumber(name, number);
        json.WriteString(name + "name", mnemonic);
    }
}
