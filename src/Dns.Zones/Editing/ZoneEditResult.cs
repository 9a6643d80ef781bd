namespace Dns.Zones.Editing;

/// <summary>The result of a delta: the next version of the zone, or an error.</summary>
public readonly record struct ZoneEditResult(Zone? Zone, ZoneEditError? Error)
{
    /// <summary>Whether there is a next version.</summary>
    [MemberNotNullWhen(true, nameof(Zone)), MemberNotNullWhen(false, nameof(Error))]
    public bool IsApplied => Zone is not null;
}
