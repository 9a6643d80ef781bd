using Dns.Zones;

namespace Dns.Providers;

/// <summary>
/// Publishes zones from master files: first all names, so that each configured zone answers SERVFAIL from the start,
/// then each zone as soon as its file has been read. A file with errors leaves its zone without data, or with the data
/// from before, and no other zone notices.
/// </summary>
public sealed class MasterFileProvider
{
    private readonly ZoneSet _set;
    private readonly int _threads;

    // Let go when the zones are loaded: 100,000 file names are worth more than what is left to do with them.
    private IReadOnlyList<ZoneFile> _files;

    /// <summary>Publishes the names of the zones.</summary>
    /// <param name="files">The zones; no name may be there twice.</param>
    /// <param name="published">Receives the set.</param>
    /// <param name="threads">How many files are read at once, at least 1.</param>
    /// <param name="local">Zones that come from no file, served beside the others.</param>
    /// <exception cref="ArgumentException">Two zones have the same name.</exception>
    public MasterFileProvider(
        IReadOnlyList<ZoneFile> files, PublishedZones published, int threads, IReadOnlyList<ZoneCell>? local = null)
    {
        _files = files;
        _threads = threads;
        ZoneCount = files.Count;
        _set = ZoneSet.Create([.. files.Select(file => new ZoneCell(file.Zone)), .. local ?? []]);
        published.Publish(_set);
    }

    /// <summary>How many zones come from files.</summary>
    public int ZoneCount { get; }

    /// <summary>
    /// Reads all files and publishes their zones; returns when all are done. To be called once: the names of the files
    /// are let go afterwards.
    /// </summary>
    /// <param name="observer">Told about each zone, after it has been published or has failed.</param>
    /// <param name="cancellation">Ends the reading early; zones not read yet stay without data.</param>
    /// <returns>What has been loaded.</returns>
    public ZoneLoadSummary Load(IZoneLoadObserver observer, CancellationToken cancellation = default)
    {
        Publisher publisher = new(this, observer);
        ZoneFileReading.Read(_files, _threads, publisher, cancellation);
        _files = [];
        return publisher.Summary;
    }

    private ZoneCell CellOf(ZoneFile file) =>
        _set.FindExact(file.Zone) ?? throw new InvalidOperationException($"no cell for zone {file.Zone}");

    private sealed class Publisher(MasterFileProvider provider, IZoneLoadObserver observer) : IZoneLoadObserver
    {
        private int _loaded, _failed;
        private long _records, _memoryBytes;

        public ZoneLoadSummary Summary => new(_loaded, _failed, _records, _memoryBytes);

        public void OnProgress(ZoneFile file, long records) => observer.OnProgress(file, records);

        public void OnRead(ZoneFile file, ZoneLoadResult result)
        {
            if (result.Zone is { } zone)
            {
                provider.CellOf(file).Publish(zone);
                Interlocked.Increment(ref _loaded);
                Interlocked.Add(ref _records, zone.RecordCount);
                Interlocked.Add(ref _memoryBytes, zone.MemoryBytes);
            }
            else
            {
                Fail(file, result.Diagnostics.First(finding => finding.Severity == Severity.Error).ToString());
            }
            observer.OnRead(file, result);
        }

        public void OnCrash(ZoneFile file, Exception error)
        {
            Fail(file, error.Message);
            observer.OnCrash(file, error);
        }

        private void Fail(ZoneFile file, string reason)
        {
            provider.CellOf(file).Fail(reason);
            Interlocked.Increment(ref _failed);
        }
    }
}
