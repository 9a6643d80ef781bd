using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Log;

/// <summary>Logs changes of the source from which a zone is served. Bounded for each change.</summary>
public sealed class ZoneClaimLog(ILogger<ZoneClaimLog> logger)
{
    private const int MaxLines = 20;

    public void Follow(ZoneRegistry registry) => registry.Changed += OnChanged;

    private void OnChanged(ZoneRegistryChange change)
    {
        foreach (ZoneConflict conflict in change.Conflicts.Take(MaxLines)) logger.ZoneConflict(conflict.ToString());
        if (change.Conflicts.Count > MaxLines)
            logger.ZoneConflict($"and {change.Conflicts.Count - MaxLines:N0} more: see dnsd status");
    }
}
