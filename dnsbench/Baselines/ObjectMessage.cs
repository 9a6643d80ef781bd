namespace Dns.Bench;

/// <summary>
/// Baseline: a message as objects with strings, parsed from an array and written to a stream.
/// </summary>
internal sealed class ObjectMessage
{
    internal ushort Id { get; set; }

    internal ushort Flags { get; set; }

    internal List<ObjectRecord> Questions { get; } = [];

    internal List<ObjectRecord>[] Sections { get; } = [[], [], []];

    /// <summary>Reads a well-formed message.</summary>
    internal static ObjectMessage Parse(byte[] octets)
    {
        ObjectMessage message = new() { Id = Read16(octets, 0), Flags = Read16(octets, 2) };
        int position = 12;
        for (int i = Read16(octets, 4); i > 0; i--)
        {
            string name = TextNames.Read(octets, ref position);
            message.Questions
                .Add(new ObjectRecord(name, Read16(octets, position), Read16(octets, position + 2), 0, []));
            position += 4;
        }
        for (int section = 0; section < 3; section++)
            for (int i = Read16(octets, 6 + section * 2); i > 0; i--)
                message.Sections[section].Add(ParseRecord(octets, ref position));
        return message;
    }

    private static ObjectRecord ParseRecord(byte[] octets, ref int position)
    {
        string name = TextNames.Read(octets, ref position);
        ushort type = Read16(octets, position), rrClass = Read16(octets, position + 2);
        uint ttl = (uint)(Read16(octets, position + 4) << 16 | Read16(octets, position + 6));
        byte[] rdata = new byte[Read16(octets, position + 8)];
        Buffer.BlockCopy(octets, position + 10, rdata, 0, rdata.Length);
        position += 10 + rdata.Length;
        return new ObjectRecord(name, type, rrClass, ttl, rdata);
    }

    /// <summary>Writes the message; names are compressed by whole-suffix strings.</summary>
    internal void Write(Stream output)
    {
        Dictionary<string, int> names = [];
        Write16(output, Id);
        Write16(output, Flags);
        Write16(output, (ushort)Questions.Count);
        foreach (List<ObjectRecord> section in Sections) Write16(output, (ushort)section.Count);
        foreach (ObjectRecord question in Questions)
        {
            WriteName(output, question.Name, names);
            Write16(output, question.Type);
            Write16(output, question.Class);
        }
        foreach (List<ObjectRecord> section in Sections)
            foreach (ObjectRecord record in section) WriteRecord(output, record, names);
    }

    private static void WriteRecord(Stream output, ObjectRecord record, Dictionary<string, int> names)
    {
        WriteName(output, record.Name, names);
        Write16(output, record.Type);
        Write16(output, record.Class);
        Write16(output, (ushort)(record.Ttl >> 16));
        Write16(output, (ushort)record.Ttl);
        Write16(output, (ushort)record.Rdata.Length);
        output.Write(record.Rdata, 0, record.Rdata.Length);
    }

    private static void WriteName(Stream output, string name, Dictionary<string, int> names)
    {
        while (name.Length > 0)
        {
            if (names.TryGetValue(name, out int offset))
            {
                Write16(output, (ushort)(0xC000 | offset));
                return;
            }
            names[name] = (int)output.Position;
            string label = name[..name.IndexOf('.')];
            output.WriteByte((byte)label.Length);
            foreach (char letter in label) output.WriteByte((byte)letter);
            name = name[(label.Length + 1)..];
        }
        output.WriteByte(0);
    }

    private static ushort Read16(byte[] octets, int at) => (ushort)(octets[at] << 8 | octets[at + 1]);

    private static void Write16(Stream output, ushort value)
    {
        output.WriteByte((byte)(value >> 8));
        output.WriteByte((byte)value);
    }
}

/// <summary>Baseline: a record as an object.</summary>
internal sealed record ObjectRecord(string Name, ushort Type, ushort Class, uint Ttl, byte[] Rdata);
