namespace Dns.Bench;

/// <summary>Baseline: a server of positive answers over string keys, objects and streams.</summary>
internal sealed class ObjectServer
{
    private readonly Dictionary<string, List<ObjectRecord>> _records = [];

    /// <summary>Adds a record under the key of queries.</summary>
    internal void Add(ObjectRecord record)
    {
        string key = Key(record.Name, record.Type, record.Class);
        if (!_records.TryGetValue(key, out List<ObjectRecord>? list)) _records[key] = list = [];
        list.Add(record);
    }

    /// <summary>Copies the query, parses it, looks its key up, answers into a stream.</summary>
    internal byte[] Respond(byte[] received, int octets)
    {
        byte[] query = new byte[octets];
        Buffer.BlockCopy(received, 0, query, 0, octets);
        ObjectMessage message = ObjectMessage.Parse(query);
        ObjectRecord question = message.Questions[0];
        bool found =
            _records.TryGetValue(Key(question.Name, question.Type, question.Class), out List<ObjectRecord>? records);
        if (found) message.Sections[0].AddRange(records!);
        message.Flags |= (ushort)(found ? 0x8400 : 0x8403);
        using MemoryStream output = new();
        message.Write(output);
        return output.ToArray();
    }

    /// <summary>The key by string.Format.</summary>
    internal static string Key(string name, ushort type, ushort rrClass) =>
        string.Format(System.Globalization.CultureInfo.InvariantCulture, "{0}|{1}|{2}", name.ToLowerInvariant(),
            type, rrClass);

    /// <summary>The key by interpolation.</summary>
    internal static string InterpolatedKey(string name, ushort type, ushort rrClass) =>
        $"{name.ToLowerInvariant()}|{type}|{rrClass}";
}
