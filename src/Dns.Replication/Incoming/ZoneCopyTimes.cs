namespace Dns.Replication.Incoming;

/// <summary>The times of a stored version, by the wall clock, so that they advance while the server is down.</summary>
/// <param name="ConfirmedAt">When a primary last confirmed or sent this version.</param>
public readonly record struct ZoneCopyTimes(DateTimeOffset ConfirmedAt, DateTimeOffset RefreshAt,
    DateTimeOffset ExpiresAt);
