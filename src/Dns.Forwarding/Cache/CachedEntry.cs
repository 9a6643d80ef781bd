namespace Dns.Forwarding.Cache;

/// <summary>A cache entry, for inspection.</summary>
/// <param name="Type">QTYPE; 0 for NXDOMAIN, which covers all types.</param>
/// <param name="View">The number of the view.</param>
/// <param name="Flags">DO and CD.</param>
/// <param name="IsFailure">Whether it is a cached failure (RFC 9520).</param>
/// <param name="Age">The time since it was stored.</param>
/// <param name="TimeLeft">The remaining lifetime; negative if it has expired.</param>
/// <param name="Message">A message with the stored TTLs; the QTYPE of an NXDOMAIN is ANY.</param>
public sealed record CachedEntry(
    RRType Type, ushort View, QuestionFlags Flags, bool IsFailure, TimeSpan Age, TimeSpan TimeLeft, Rcode Rcode,
    ExtendedErrorCode? Error, byte[] Message)
{
    /// <param name="entry">The whole entry.</param>
    /// <param name="age">Its age in units of <see cref="CacheClock"/>.</param>
    internal static CachedEntry Of(in EntryHeader header, ReadOnlySpan<byte> entry, uint age)
    {
        byte[] message = new byte[header.MessageOctets];
        header.WriteMessage(entry, message);
        RelayedAnswer answer = header.ToAnswer();
        TimeSpan old = TimeSpan.FromSeconds(age / (double)CacheClock.UnitsPerSecond);
        return new CachedEntry(
            header.Type, header.View, header.Flags, (header.Traits & EntryTraits.Failure) != 0, old,
            TimeSpan.FromSeconds(header.LifetimeSeconds) - old, answer.Rcode, answer.Error, message);
    }
}
