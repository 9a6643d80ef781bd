namespace Dns.Telemetry.Answers;

/// <summary>
/// The most frequent names (in lower case) and clients, from samples: a bounded table of each. A sample counts for half
/// after every <see cref="FadeInterval"/>.
/// </summary>
public sealed class TopClients
{
    public static readonly TimeSpan FadeInterval = TimeSpan.FromMinutes(10);

    private const int Kept = 256;
    private const int AddressOctets = 16;

    private readonly Lock _gate = new();
    private readonly TopTable _names = new(Kept, WireName.MaxOctets);
    private readonly TopTable _clients = new(Kept, AddressOctets);

    /// <summary>Adds a sample of <paramref name="weight"/> queries; false if another thread was adding one.</summary>
    /// <param name="message">A message whose first question is not compressed.</param>
    public bool TryAdd(ReadOnlySpan<byte> message, ref ClientAddress client, int weight)
    {
        if (!_gate.TryEnter()) return false;
        try
        {
            Span<byte> name = stackalloc byte[WireName.MaxOctets];
            int length = ReadName(message, name);
            if (length > 0) _names.Add(name[..length], weight);
            _clients.Add(client.Address, weight);
            return true;
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Halves the weight of what was added so far.</summary>
    public void Fade()
    {
        lock (_gate)
        {
            _names.Fade(0.5);
            _clients.Fade(0.5);
        }
    }

    /// <summary>The names, with their share of all queries lately, 0 to 1.</summary>
    public IReadOnlyList<TopEntry> ReadNames(int most) => Read(_names, most, static key => NameText.ToText(key));

    /// <summary>The clients' addresses, with their share of all queries lately, 0 to 1.</summary>
    public IReadOnlyList<TopEntry> ReadClients(int most) => Read(_clients, most, static key =>
    {
        IPAddress address = new(key);
        return (address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address).ToString();
    });

    private List<TopEntry> Read(TopTable table, int most, Func<byte[], string> toText)
    {
        lock (_gate)
        {
            return [.. table.Read(most)
                .Select(entry => new TopEntry(toText(entry.Key), entry.Weight / Math.Max(table.Total, 1)))];
        }
    }

    private static int ReadName(ReadOnlySpan<byte> message, Span<byte> name)
    {
        if (!MessageReader.TryOpen(message, out MessageReader reader) ||
            !reader.TryReadQuestion(out QuestionReader question)) return 0;
        if (!question.TryGetName(out ReadOnlySpan<byte> octets)) return 0;
        WireName.ToLower(octets, name);
        return octets.Length;
    }
}

/// <summary>A frequent name in presentation form or client address, and its share of recent queries, 0 to 1.</summary>
public readonly record struct TopEntry(string Text, double Share);
