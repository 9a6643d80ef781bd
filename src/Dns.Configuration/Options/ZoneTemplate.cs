namespace Dns.Configuration.Options;

/// <summary>An entry of <c>Dns:Templates</c>: what the zones that name it do not say themselves.</summary>
/// <param name="Name">Its name; letter case does not matter.</param>
public sealed record ZoneTemplate(string Name)
{
    /// <summary>Where the data of its zones is maintained; null = it does not say.</summary>
    public ZoneRole? Role { get; init; }

    /// <summary>The servers that secondaries have their data from; empty = it does not say.</summary>
    public IReadOnlyList<PeerAddress> Primaries { get; init; } = [];

    /// <summary>The least time between two refreshes of a secondary; null = as for all zones.</summary>
    public TimeSpan? MinRefresh { get; init; }

    /// <summary>The clients that may query a zone; null = all.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>With whom a zone is exchanged; null = as for all zones.</summary>
    public ZonePolicy? Policy { get; init; }
}
