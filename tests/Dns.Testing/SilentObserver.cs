namespace Dns.Testing;

/// <summary>Ignores progress and results; rethrows faults.</summary>
public sealed class SilentObserver : IZoneLoadObserver
{
    public void OnProgress(DomainName zone, string origin, long records)
    {
    }

    public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before)
    {
    }

    public void OnCrash(DomainName zone, string origin, Exception error) => throw error;
}
