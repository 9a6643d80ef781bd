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
    public static void Read(
        IReadOnlyList<ZoneFile> files, int threads, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        int next = -1;
        Thread[] readers = new Thread[Math.Clamp(Math.Min(threads, files.Count), 1, 1024)];
        for (int i = 0; i < readers.Length; i++)
        {
            readers[i] = new Thread(ReadUntilNoneIsLeft) { IsBackground = true, Name = "zone reader" };
            readers[i].Start();
        }
        foreach (Thread reader in readers) reader.Join();

        void ReadUntilNoneIsLeft()
        {
            Progress progress = new(observer);
            while (!cancellation.IsCancellationRequested && Interlocked.Increment(ref next) is var i && i < files.Count)
                ReadOne(files[i], progress, observer, cancellation);
        }
    }

    private static void ReadOne(
        ZoneFile file, Progress progress, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        try
        {
            progress.File = file;
            observer.OnRead(file, ZoneLoader.Load(file.Zone, file.Path, progress, cancellation));
        }
        catch (OperationCanceledException)
        {
            // The server is stopping: nobody waits for the zone any more.
        }
        catch (Exception error)
        {
            observer.OnCrash(file, error);
        }
    }

    /// <summary>Says which file a number of records is about; one for each thread, reused for all its files.</summary>
    private sealed class Progress(IZoneLoadObserver observer) : IProgress<long>
    {
        public ZoneFile File { get; set; }

        public void Report(long value) => observer.OnProgress(File, value);
    }
}
