using System.Diagnostics.CodeAnalysis;

namespace Dns.Zones;

/// <summary>The result of a delta: the next version of the zone, or an error.</summary>
/// <param name="Zone">The next version; null if the delta does not fit.</param>
/// <param name="Error">Why it does not fit; null if it does.</param>
public readonly record struct ZoneEditResult(Zone? Zone, ZoneEditError? Error)
{
    /// <summary>Whether there is a next version.</summary>
    [MemberNotNullWhen(true, nameof(Zone)), MemberNotNullWhen(false, nameof(Error))]
    public bool IsApplied => Zone is not null;
}
