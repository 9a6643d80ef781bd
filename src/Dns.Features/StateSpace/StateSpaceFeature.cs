namespace Dns.Features.StateSpace;

/// <summary>
/// The free space of the state directory: without it updates are refused, and keys and copies of zones are not saved.
/// </summary>
/// <param name="directory">The state directory, which may be missing; null = none.</param>
/// <param name="readFree">Free octets of the file system of a directory; null = unknown.</param>
public sealed class StateSpaceFeature(string? directory, Func<string, long?> readFree) : Feature, IFeature
{
    /// <summary>Less free space is a warning, in octets.</summary>
    public const long Least = 64 << 20;

    private long? Free => directory is null ? null : readFree(directory);

    public static Feature Create(ServerParts parts) => new StateSpaceFeature(parts.StateDirectory, Read);

    public override void AddTo(MetricSet metrics) => metrics.Gauge("dnsd_state_directory_free_bytes",
        "Free space of the file system of the state directory.", () => Free is { } free ? [new(free)] : []);

    public override IEnumerable<StatusWarning> FindWarnings()
    {
        if (Free is { } free and < Least)
            yield return new StatusWarning(false,
                $"the state directory has {TextTable.Size(free)} left: updates, keys and copies of zones may not be saved",
                [directory!]);
    }

    private static long? Read(string directory)
    {
        try
        {
            return Directory.Exists(directory) ? new DriveInfo(directory).AvailableFreeSpace : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}
