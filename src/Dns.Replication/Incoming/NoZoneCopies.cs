namespace Dns.Replication.Incoming;

/// <summary>Stores nothing: after a restart each zone is transferred again.</summary>
public sealed class NoZoneCopies : IZoneCopies
{
    /// <inheritdoc/>
    public bool TryLoad(
        DomainName zone, ZoneLimits limits, [NotNullWhen(true)] out ZoneCopy? copy, out CopyDamage? damage,
        CancellationToken cancellation)
    {
        (copy, damage) = (null, null);
        return false;
    }

    /// <inheritdoc/>
    public void Save(ZoneCopy copy, IReadOnlyList<ZoneDelta> deltas)
    {
    }

    /// <inheritdoc/>
    public void SaveTimes(DomainName zone, in ZoneCopyTimes times)
    {
    }

    /// <inheritdoc/>
    public void Delete(DomainName zone)
    {
    }
}
