namespace Dns.Answering.RateLimiting;

/// <summary>Answers subject to the rate limit: not those over TCP, with valid cookies or to exempt clients.</summary>
/// <param name="Passed">Within the limit.</param>
/// <param name="Dropped">Over the limit, dropped.</param>
/// <param name="Slipped">Over the limit, replaced by an empty one with TC.</param>
/// <param name="WouldDrop">Over the limit, sent in mode <see cref="RateLimitMode.Log"/>.</param>
public readonly record struct RateLimitCounters(long Passed, long Dropped, long Slipped, long WouldDrop);
