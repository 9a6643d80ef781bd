using Dns.Zones;

namespace Dns.Providers;

/// <summary>Reads zone files side by side.</summary>
public static class ZoneFileReading
{
    /// <summary>
    /// Reads every file on up to <paramref name="threads"/> threads of its own, and returns when all are read. The
    /// thread pool is left to those who answer queries meanwhile.
    /// </summary>
    /// <param name="files">The files; each is read once, in about this order.</param>
    /// <param name="threads">At least 1.</param>
    /// <param name="observer">Told about each; it has to publish or drop the zone.</param>
    /// <param name="cancellation">Ends the reading early; the files not read are not told about.</param>
    /// <param name="allowsPipe">Whether a file may be a pipe or a device.</param>
    /// <param name="limits">How large a name may be; null = <see cref="ZoneLimits.Default"/>.</param>
    public static void Read(
        IReadOnlyList<ZoneFile> files, int threads, IZoneLoadObserver observer, CancellationToken cancellation,
        bool allowsPipe = false, ZoneLimits? limits = null) =>
        Run(files.Count, threads, observer, cancellation, (i, progress) =>
        {
            ZoneFile file = progress.File = files[i];
            try
            {
                observer.OnRead(
                    file.Zone, file.Path, ZoneLoader.Load(file.Zone, file.Path, progress, cancellation, allowsPipe, limits), before: null);
            }
            catch (Exception error) when (error is not OperationCanceledException)
            {
                observer.OnCrash(file.Zone, file.Path, error);
            }
        });

    /// <summary>Does something for each number below <paramref name="count"/>, on up to so many threads.</summary>
    internal static void Run(
        int count, int threads, IZoneLoadObserver observer, CancellationToken cancellation, Action<int, Progress> read)
    {
        int next = -1;
        Thread[] readers = new Thread[Math.Clamp(Math.Min(threads, count), 1, 1024)];
        for (int i = 0; i < readers.Length; i++)
        {
            readers[i] = new Thread(ReadUntilNoneIsLeft) { IsBackground = true, Name = "zone reader" };
            readers[i].Start();
        }
        foreach (Thread reader in readers) reader.Join();

        void ReadUntilNoneIsLeft()
        {
            Progress progress = new(observer);
            try
            {
                while (!cancellation.IsCancellationRequested && Interlocked.Increment(ref next) is var i && i < count)
                    read(i, progress);
            }
            catch (OperationCanceledException)
            {
                // The server is stopping: nobody waits for the zone any more.
            }
        }
    }

    /// <summary>Says which file a number of records is about; one for each thread, reused for all its files.</summary>
    internal sealed class Progress(IZoneLoadObserver observer) : IProgress<long>
    {
        public ZoneFile File { get; set; }

        public void Report(long value) => observer.OnProgress(File.Zone, File.Path, value);
    }
}
