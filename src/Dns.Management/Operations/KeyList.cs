using System.Globalization;
using Dns.Dnssec;
using Dns.Protocol;

namespace Dns.Management;

/// <summary>The keys of a zone. What it is called in JSON is a contract.</summary>
/// <param name="Zone">The zone.</param>
/// <param name="Keys">Its keys, the oldest first.</param>
internal sealed record KeyList(string Zone, IReadOnlyList<ListedKey> Keys)
{
    private const string TimeFormat = "yyyy-MM-dd HH:mm:ss'Z'";

    /// <summary>What comes next for no key in particular, or for the zone as a whole; in words.</summary>
    public IReadOnlyList<string> Waits { get; init; } = [];

    /// <summary>What others than the owner can read.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Makes the listing of a state.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="keys">Its state.</param>
    /// <param name="waits">What comes next.</param>
    public static KeyList Of(DomainName zone, ZoneKeys keys, IReadOnlyList<KeyWait> waits) =>
        new(zone.ToString(), [.. keys.Keys.Select(key => ListedKey.Of(keys, key, waits))])
        {
            Waits = [.. waits.Where(wait => wait.Keys.Count == 0).Select(wait => $"{wait.Step}: waits for {wait.For}")],
        };

    /// <summary>Writes it for people.</summary>
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
        string at = key.NextAt is { } time ? " at " + time.UtcDateTime.ToString(TimeFormat, CultureInfo.InvariantCulture) : "";
        return $"next: {key.Next}{at}" + (key.WaitsFor is null ? "" : $", waits for {key.WaitsFor}");
    }
}

/// <summary>A key of a zone.</summary>
/// <param name="Tag">Its tag.</param>
/// <param name="Algorithm">Its algorithm.</param>
/// <param name="Role">What it signs: ksk, zsk or csk.</param>
/// <param name="State">Where it is on its way: generated, published, ready, active, retired or removed.</param>
internal sealed record ListedKey(ushort Tag, string Algorithm, string Role, string State)
{
    /// <summary>What comes next for it; null = nothing.</summary>
    [System.Text.Json.Serialization.JsonIgnore(Condition = System.Text.Json.Serialization.JsonIgnoreCondition.Never)]
    public string? Next { get; init; }

    /// <summary>When that comes; null = not by time alone.</summary>
    public DateTimeOffset? NextAt { get; init; }

    /// <summary>What it waits for beside time.</summary>
    public string? WaitsFor { get; init; }

    /// <summary>When it was made.</summary>
    public DateTimeOffset Created { get; init; }

    /// <summary>When it was published.</summary>
    public DateTimeOffset? Published { get; init; }

    /// <summary>When its use began.</summary>
    public DateTimeOffset? Activated { get; init; }

    /// <summary>When another took its place.</summary>
    public DateTimeOffset? Retired { get; init; }

    /// <summary>When nothing could need it any more.</summary>
    public DateTimeOffset? Removed { get; init; }

    /// <summary>That of a key and what is to come.</summary>
    public static ListedKey Of(ZoneKeys keys, KeyRecord key, IReadOnlyList<KeyWait> waits)
    {
        KeyWait? next = waits.Where(wait => wait.Keys.Contains(key.Id)).MinBy(wait => wait.At ?? DateTimeOffset.MaxValue);
        return new ListedKey(key.Id.Tag, DnssecAlgorithms.NameOf(key.Id.Algorithm), key.Role.Text(), KeyStates.Of(keys, key).Text())
        {
            Next = next?.Step,
            NextAt = next?.At,
            WaitsFor = next?.For,
            Created = key.Created,
            Published = key.Published,
            Activated = key.Activated,
            Retired = key.Retired,
            Removed = key.Removed,
        };
    }
}
