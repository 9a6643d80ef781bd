using Dns.Protocol;
using Dns.Replication;
using Dns.Zones;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>The zones of settings and catalogs that are copied from primaries: their source, which follows the settings.</summary>
internal sealed class Secondaries : IDisposable
{
    private const string Folder = "zones";

    private readonly Lock _gate = new();
    private readonly ILogger _logger;
    private readonly bool _isKept;
    private IReadOnlyList<SecondaryZoneOptions> _ofSettings = [], _members = [];

    /// <summary>Makes the source; its zones are claimed when it is started.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="stateDirectory">Where zones are kept; null = nowhere.</param>
    /// <param name="history">Given the differences that are read from disk.</param>
    /// <param name="time">The clock.</param>
    /// <param name="log">Told what happens.</param>
    /// <param name="logger">Told what the settings lack.</param>
    public Secondaries(
        ServerOptions options, string? stateDirectory, ZoneHistory history, TimeProvider time, SecondaryLog log,
        ILogger<Secondaries> logger)
    {
        (_logger, _isKept) = (logger, stateDirectory is not null);
        IZoneCopies copies = stateDirectory is null
            ? new NoZoneCopies() : new ZoneCopyFolder(Path.Join(stateDirectory, Folder), new DiskFiles(DirectorySync.Flush));
        Source = new SecondarySource("its primaries", SecondaryZones.OptionsOf(options), copies, PrimaryNetwork.Sockets, log, time);
        Source.Restored += history.Seed;
        Use(options);
    }

    /// <summary>The source.</summary>
    public SecondarySource Source { get; }

    /// <summary>Has the zones of settings from now on. Their names stand when this returns.</summary>
    public void Use(ServerOptions options)
    {
        lock (_gate)
        {
            _ofSettings = SecondaryZones.Of(options);
            Source.Options = SecondaryZones.OptionsOf(options);
            if (_ofSettings.Count > 0 && !_isKept) _logger.SecondariesNotKept();
            Apply();
        }
    }

    /// <summary>What would become of the zones of the settings with others.</summary>
    public SecondaryChanges Compare(ServerOptions options)
    {
        lock (_gate) return SecondaryChanges.Between(_ofSettings, SecondaryZones.Of(options));
    }

    /// <summary>Has these members of catalogs from now on, and no others; a zone of the settings goes before one of them.</summary>
    public void UseMembers(IReadOnlyList<SecondaryZoneOptions> members)
    {
        lock (_gate)
        {
            if (members.Count + _members.Count == 0) return;
            _members = members;
            Apply();
        }
    }

    /// <summary>Transfers a zone anew, whatever is here of it; nothing waits for it.</summary>
    public void Retransfer(DomainName zone)
    {
        if (Source.Find(zone) is { } found) _ = Source.RefreshAsync(found, isRetransfer: true, CancellationToken.None);
    }

    private void Apply()
    {
        HashSet<DomainName> named = [.. _ofSettings.Select(zone => zone.Name)];
        // What is on disk of new ones is read meanwhile, and the rest transferred.
        _ = Source.UseAsync([.. _ofSettings, .. _members.Where(zone => !named.Contains(zone.Name))], CancellationToken.None);
    }

    /// <inheritdoc/>
    public void Dispose() => Source.Dispose();
}
