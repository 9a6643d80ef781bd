namespace Dns.Answering;

/// <summary>Answers that the limiter has judged: not those over TCP, to valid cookies or to exempt clients.</summary>
/// <param name="Passed">Within the limit.</param>
/// <param name="Dropped">Over it, and not sent.</param>
/// <param name="Slipped">Over it, and an empty one with TC sent instead.</param>
/// <param name="WouldDrop">Over it, and sent because over the limit is only counted.</param>
public readonly record struct RateLimitCounters(long Passed, long Dropped, long Slipped, long WouldDrop);
