using System.Text.Json.Serialization;

namespace Dns.Management.Status;

/// <summary>The cache entries of a name.</summary>
public sealed record CacheContent(string Name, IReadOnlyList<CacheLine> Entries);

/// <summary>A cached answer.</summary>
public sealed record CacheLine(
    string Type, string Flags, string Code, double AgeSeconds, double TimeLeftSeconds, IReadOnlyList<string> Records)
{
    /// <summary>When it was stored, and when its TTL ends or ended.</summary>
    [JsonIgnore]
    public string Times => $"stored {AgeSeconds:0} s ago, "
        + (TimeLeftSeconds >= 0 ? $"{TimeLeftSeconds:0} s left" : $"expired {-TimeLeftSeconds:0} s ago");

    public static CacheLine Of(CachedEntry entry)
    {
        List<MessageRecord> records = [];
        MessageRecords.TryRead(entry.Message, [], records);
        string type = entry.Type == 0 ? "any type" : RRTypeText.Format(entry.Type);
        return new CacheLine(
            type, entry.Flags.ToString(), (entry.IsFailure ? "failure " : "") + RcodeText.Format(entry.Rcode),
            Math.Round(entry.Age.TotalSeconds, 1), Math.Round(entry.TimeLeft.TotalSeconds, 1),
            [.. records
                .Select(record => $"{record.Owner} {record.Ttl} {RRTypeText.Format(record.Type)} {record.Text}")]);
    }
}
