using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers.Tests;

/// <summary>Wants to know nothing but faults.</summary>
internal sealed class Silent : IZoneLoadObserver
{
    public void OnProgress(DomainName zone, string place, long records)
    {
    }

    public void OnRead(DomainName zone, string place, ZoneLoadResult result, Zone? before)
    {
    }

    public void OnCrash(DomainName zone, string place, Exception error) => throw error;
}
