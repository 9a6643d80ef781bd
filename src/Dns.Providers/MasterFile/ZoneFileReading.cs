using Dns.Zones;

namespace Dns.Providers;

/// <summary>Reads zone files side by side, for those who serve nothing.</summary>
public static class ZoneFileReading
{
    /// <summary>Reads every file on up to <paramref name="threads"/> threads, and returns when all are read.</summary>
    /// <param name="files">The files; each is read once, in about this order.</param>
    /// <param name="threads">At least 1.</param>
    /// <param name="observer">Told about each; the zones are dropped afterwards.</param>
    /// <param name="cancellation">Ends the reading early; the files not read are not told about.</param>
    /// <param name="allowsPipe">Whether a file may be a pipe or a device.</param>
    /// <param name="limits">How large a name may be; null = <see cref="ZoneLimits.Default"/>.</param>
    public static void Read(
        IReadOnlyList<ZoneFile> files, int threads, IZoneLoadObserver observer, CancellationToken cancellation,
        bool allowsPipe = false, ZoneLimits? limits = null) =>
        new ZoneReaders(threads).RunAsync(
            files.Count,
            i =>
            {
                ZoneFile file = files[i];
                try
                {
                    ZoneLoadResult result = ZoneLoader.Load(
                        file.Zone, file.Path, new Progress(file, observer), cancellation, allowsPipe, limits);
                    observer.OnRead(file.Zone, file.Path, result, before: null);
                }
                catch (Exception error) when (error is not OperationCanceledException)
                {
                    observer.OnCrash(file.Zone, file.Path, error);
                }
            },
            cancellation).GetAwaiter().GetResult();

    /// <summary>Says which zone a number of records is about.</summary>
    internal sealed class Progress(ZoneFile file, IZoneLoadObserver observer) : IProgress<long>
    {
        public void Report(long value) => observer.OnProgress(file.Zone, file.Path, value);
    }
}
