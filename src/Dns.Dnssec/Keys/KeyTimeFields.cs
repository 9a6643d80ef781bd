namespace Dns.Dnssec.Keys;

/// <summary>The times of a key by their names in key files.</summary>
internal static class KeyTimeFields
{
    private const string Form = "yyyyMMddHHmmss";

    /// <summary>Name, getter, setter; in the order of files.</summary>
    internal static readonly (string Name, Func<KeyTimes, DateTimeOffset?> Get,
        Func<KeyTimes, DateTimeOffset, KeyTimes> With)[] All =
    [
        ("Created", times => times.Created, (times, time) => times with { Created = time }),
        ("Publish", times => times.Publish, (times, time) => times with { Publish = time }),
        ("Activate", times => times.Activate, (times, time) => times with { Activate = time }),
        ("Revoke", times => times.Revoke, (times, time) => times with { Revoke = time }),
        ("Inactive", times => times.Inactive, (times, time) => times with { Inactive = time }),
        ("Delete", times => times.Delete, (times, time) => times with { Delete = time }),
        ("SyncPublish", times => times.SyncPublish, (times, time) => times with { SyncPublish = time }),
        ("SyncDelete", times => times.SyncDelete, (times, time) => times with { SyncDelete = time }),
    ];

    internal static string Format(DateTimeOffset time) => time.UtcDateTime.ToString(Form, CultureInfo.InvariantCulture);

    /// <summary>The time as the comments of .key files repeat it.</summary>
    internal static string Describe(DateTimeOffset time) =>
        time.UtcDateTime.ToString("ddd MMM d HH:mm:ss yyyy", CultureInfo.InvariantCulture);

    internal static bool TryParse(string text, out DateTimeOffset time) => DateTimeOffset.TryParseExact(
        text, Form, CultureInfo.InvariantCulture,
        DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time);
}
