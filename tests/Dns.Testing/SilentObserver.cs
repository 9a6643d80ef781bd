using Dns.Protocol;
using Dns.Zones;

namespace Dns.Testing;

/// <summary>Ignores progress and results; rethrows faults.</summary>
public sealed class SilentObserver : IZoneLoadObserver
{
    public void OnProgress(DomainName zone, string place, long records)
    {
    }

    public void OnRead(DomainName zone, string place, ZoneLoadResult result, Zone? before)
    {
    }

    public void OnCrash(DomainName zone, string place, Exception error) => throw error;
}
