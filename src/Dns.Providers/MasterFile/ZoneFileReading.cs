namespace Dns.Providers.MasterFile;

/// <summary>Reads zone files in parallel without serving them.</summary>
public static class ZoneFileReading
{
    /// <summary>Reads every file on up to <paramref name="threads"/> threads, and returns when all are read.</summary>
    /// <param name="files">The files; each is read once, in about this order.</param>
    /// <param name="threads">At least 1.</param>
    /// <param name="observer">Notified of each zone, which is then dropped.</param>
    /// <param name="cancellation">Cancels the reading; files that were not read are not reported.</param>
    /// <param name="ofCommand">Whether a command reads its own file: see <see cref="ZoneLoader.Load"/>.</param>
    /// <param name="limits">Limits of zone data; null = <see cref="ZoneLimits.Default"/>.</param>
    public static void Read(
        IReadOnlyList<ZoneFile> files, int threads, IZoneLoadObserver observer, CancellationToken cancellation,
        bool ofCommand = false, ZoneLimits? limits = null) =>
        new ZoneReaders(threads).RunAsync(
            files.Count,
            i =>
            {
                ZoneFile file = files[i];
                try
                {
                    ZoneLoadResult result = ZoneLoader.Load(
                        file.Zone, file.Path, new Progress(file, observer), cancellation, ofCommand, limits);
                    observer.OnRead(file.Zone, file.Path, result, before: null);
                }
                catch (Exception error) when (error is not OperationCanceledException)
                {
                    observer.OnCrash(file.Zone, file.Path, error);
                }
            },
            cancellation).GetAwaiter().GetResult();

    /// <summary>Adds the zone to progress reports.</summary>
    internal sealed class Progress(ZoneFile file, IZoneLoadObserver observer) : IProgress<long>
    {
        public void Report(long value) => observer.OnProgress(file.Zone, file.Path, value);
    }
}
