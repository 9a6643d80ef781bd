using Dns.Zones;

namespace Dns.Providers;

/// <summary>What is known of one zone that comes from a file.</summary>
/// <param name="File">The zone and its file.</param>
/// <param name="State">Whether it is served.</param>
/// <param name="Data">What is served; null = nothing.</param>
/// <param name="Failure">Why the file as it was last read cannot be used; null = it can.</param>
/// <param name="LoadedAt">When the data that is served was read, to the second; null = there is none.</param>
public sealed record ZoneFileStatus(
    ZoneFile File, ZoneState State, Zone? Data, string? Failure, DateTimeOffset? LoadedAt);
