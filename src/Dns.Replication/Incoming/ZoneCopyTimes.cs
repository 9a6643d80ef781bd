namespace Dns.Replication;

/// <summary>The times of a version that is kept, by the wall clock: they go on while the server is down.</summary>
/// <param name="ConfirmedAt">When a primary last had this version, or it came.</param>
/// <param name="RefreshAt">When primaries are asked next.</param>
/// <param name="ExpiresAt">Until when it may be served.</param>
public readonly record struct ZoneCopyTimes(DateTimeOffset ConfirmedAt, DateTimeOffset RefreshAt, DateTimeOffset ExpiresAt);
