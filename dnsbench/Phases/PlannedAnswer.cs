using System.Buffers.Binary;

namespace Dns.Bench;

/// <summary>The records of an answer with their names in full: what a renderer starts from.</summary>
internal sealed class PlannedAnswer
{
    private readonly record struct Record(byte[] Owner, RRType Type, uint Ttl, byte[] Rdata);

    private readonly List<Record> _records = [];
    private readonly byte[] _question;
    private readonly byte[] _query;
    private readonly Responder _responder;
    private QueryOrigin _origin = new(BenchZone.Client(), DnsTransport.Udp, now: 0);

    /// <summary>Splits an answer of the real responder into records.</summary>
    internal PlannedAnswer(Responder responder, byte[] query)
    {
        (_responder, _query) = (responder, query);
        Octets = SampleMessages.Answer(responder, query);
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        byte[] rdata = new byte[Rdata.MaxOctets];
        if (!MessageReader.TryOpen(Octets, out MessageReader message) ||
            !message.TryReadQuestion(out QuestionReader question)
            || !question.TryGetName(out ReadOnlySpan<byte> asked)) throw new InvalidDataException("question");
        _question = asked.ToArray();
        QuestionEnd = question.EndOffset;
        RecordReader records = message.ReadRecords();
        while (records.TryRead())
        {
            if (!records.TryExpandOwner(name, out int length) || !records.TryReadRdata(rdata, out int written))
                throw new InvalidDataException("record");
            _records.Add(new Record(name[..length].ToArray(), records.Type, records.Ttl, rdata[..written]));
        }
    }

    /// <summary>Room for any of the answers.</summary>
    internal const int RoomOctets = 4096;

    /// <summary>Has the responder answer the query anew and returns the length.</summary>
    internal int Respond(Span<byte> message)
    {
        _query.CopyTo(message);
        return _responder.Respond(message, _query.Length, ref _origin);
    }

    /// <summary>The answer of the responder: the pre-encoded octets.</summary>
    internal byte[] Octets { get; }

    internal int QuestionEnd { get; }

    /// <summary>Writes all records behind header and question and returns the length.</summary>
    internal int Render<T>(Span<byte> message, ref T names) where T : struct, INameRendering
    {
        names.Begin(_question);
        int position = QuestionEnd;
        foreach (Record record in _records)
        {
            names.Write(message, ref position, record.Owner);
            BinaryPrimitives.WriteUInt32BigEndian(message[position..], (uint)record.Type << 16 | (uint)RRClass.IN);
            BinaryPrimitives.WriteUInt32BigEndian(message[(position + 4)..], record.Ttl);
            int start = position += 10;
            WriteRdata(message, ref position, record, ref names);
            BinaryPrimitives.WriteUInt16BigEndian(message[(start - 2)..], (ushort)(position - start));
        }
        return position;
    }

    private static void WriteRdata<T>(Span<byte> message, ref int position, in Record record, ref T names)
        where T : struct, INameRendering
    {
        ReadOnlySpan<byte> rdata = record.Rdata;
        if (Rdata.TryGetCompressibleNames(record.Type, out int prefix, out int count))
        {
            rdata[..prefix].CopyTo(message[position..]);
            position += prefix;
            rdata = rdata[prefix..];
            for (; count > 0; count--)
            {
                WireName.TryMeasure(rdata, out int length);
                names.Write(message, ref position, rdata[..length]);
                rdata = rdata[length..];
            }
        }
        rdata.CopyTo(message[position..]);
        position += rdata.Length;
    }
}
