namespace Dns.Management.Operations;

/// <summary>The keys of a zone, the oldest first. Its JSON names are a stable interface.</summary>
public sealed record KeyList(string Zone, IReadOnlyList<ListedKey> Keys)
{
    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss'Z'";

    /// <summary>Next events of no single key or of the whole zone; as text.</summary>
    public IReadOnlyList<string> Waits { get; init; } = [];

    /// <summary>Key files that others than the owner can read.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    public static KeyList Of(DomainName zone, ZoneKeys keys, IReadOnlyList<KeyWait> waits) =>
        new(zone.ToString(), [.. keys.Keys.Select(key => ListedKey.Of(keys, key, waits))])
        {
            Waits = [.. waits.Where(wait => wait.Keys.Count == 0)
                .Select(wait => KeyText.Of(wait.Action) + At(wait.At)
                    + (wait.For is null ? "" : $": waits for {KeyText.Of(wait.For)}"))],
        };

    public void Write(TextWriter output)
    {
        TextTable table = new(true, false, false, false, false);
        foreach (ListedKey key in Keys) table.Add($"{key.Tag}", key.Algorithm, key.Role, key.State, TextOf(key));
        table.Write(output);
        foreach (string line in Waits) output.WriteLine(line);
        foreach (string line in Warnings) output.WriteLine("warning: " + line);
    }

    private static string TextOf(ListedKey key)
    {
        if (key.Next is null) return "";
        return $"next: {key.Next}{At(key.NextAt)}" + (key.WaitsFor is null ? "" : $", waits for {key.WaitsFor}");
    }

    private static string At(DateTimeOffset? time) => time is null
        ? "" : " at " + time.Value.UtcDateTime.ToString(TimeFormat, CultureInfo.InvariantCulture);
}

/// <summary>A key of a zone.</summary>
/// <param name="Role">Its role: ksk, zsk or csk.</param>
/// <param name="State">Its state: generated, published, ready, active, retired or removed.</param>
public sealed record ListedKey(ushort Tag, string Algorithm, string Role, string State)
{
    /// <summary>Its next event; null = none.</summary>
    public string? Next { get; init; }

    /// <summary>The time of that event; null = not by time alone.</summary>
    public DateTimeOffset? NextAt { get; init; }

    /// <summary>Its condition besides time.</summary>
    public string? WaitsFor { get; init; }

    public DateTimeOffset Created { get; init; }

    public DateTimeOffset? Published { get; init; }

    public DateTimeOffset? Activated { get; init; }

    /// <summary>When another replaced it.</summary>
    public DateTimeOffset? Retired { get; init; }

    /// <summary>When no cache needed it any more.</summary>
    public DateTimeOffset? Removed { get; init; }

    public static ListedKey Of(ZoneKeys keys, KeyRecord key, IReadOnlyList<KeyWait> waits)
    {
        KeyWait? next = waits.Where(wait => wait.Keys.Contains(key.Id))
            .MinBy(wait => wait.At ?? DateTimeOffset.MaxValue);
        return new ListedKey(key.Id.Tag, DnssecAlgorithms.NameOf(key.Id.Algorithm), key.Role.Text(),
            KeyStates.Of(keys, key).Text())
        {
            Next = next is null ? null : KeyText.Of(next.Action),
            NextAt = next?.At,
            WaitsFor = KeyText.Of(next?.For),
            Created = key.Created,
            Published = key.Published,
            Activated = key.Activated,
            Retired = key.Retired,
            Removed = key.Removed,
        };
    }
}
