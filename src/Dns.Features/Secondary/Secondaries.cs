using Microsoft.Extensions.Logging;

namespace Dns.Features.Secondary;

/// <summary>The secondary zones of settings and catalogs: their source, with the current settings.</summary>
internal sealed class Secondaries : IDisposable
{
    private const string Folder = "zones";

    private readonly Lock _gate = new();
    private readonly ILogger _logger;
    private readonly bool _isKept;
    private IReadOnlyList<SecondaryZoneOptions> _ofSettings = [], _members = [];

    /// <summary>Creates the source; its zones are claimed when it is started.</summary>
    /// <param name="stateDirectory">The state directory; null = none.</param>
    /// <param name="history">Receives the deltas read from disk.</param>
    /// <param name="log">Receives events.</param>
    /// <param name="logger">Receives warnings about the settings.</param>
    public Secondaries(
        ServerOptions options, string? stateDirectory, ZoneHistory history, TimeProvider time, SecondaryLog log,
        ILogger<Secondaries> logger)
    {
        (_logger, _isKept) = (logger, stateDirectory is not null);
        IZoneCopies copies = stateDirectory is null
            ? new NoZoneCopies()
            : new ZoneCopyFolder(Path.Join(stateDirectory, Folder), new DiskFiles(DirectorySync.Flush));
        Source = new SecondarySource("its primaries", SecondaryZones.OptionsOf(options), copies,
            PrimaryNetwork.Sockets, log, time);
        Source.Restored += history.Seed;
        Use(options);
    }

    public SecondarySource Source { get; }

    /// <summary>
    /// Sets the zones of the settings. Their names are claimed when this returns; after an exception the next call
    /// repeats the change.
    /// </summary>
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

    /// <summary>The effect of other settings on the zones.</summary>
    public SecondaryChanges Compare(ServerOptions options)
    {
        lock (_gate) return SecondaryChanges.Between(_ofSettings, SecondaryZones.Of(options));
    }

    /// <summary>
    /// Sets the members of catalogs; a zone of the settings takes precedence over a member. After an exception the next
    /// call repeats the change.
    /// </summary>
    public void UseMembers(IReadOnlyList<SecondaryZoneOptions> members)
    {
        lock (_gate)
        {
            if (members.Count + _members.Count == 0) return;
            _members = members;
            Apply();
        }
    }

    /// <summary>Transfers a zone again unconditionally, in the background.</summary>
    public void Retransfer(DomainName zone)
    {
        if (Source.Find(zone) is { } found) _ = Source.RefreshAsync(found, isRetransfer: true, CancellationToken.None);
    }

    private void Apply()
    {
        HashSet<DomainName> named = [.. _ofSettings.Select(zone => zone.Name)];
        // Saved copies of new zones are loaded in the background, and the rest transferred.
        Task change = Source.UseAsync([.. _ofSettings, .. _members.Where(zone => !named.Contains(zone.Name))],
            CancellationToken.None);
        if (change.IsFaulted) change.GetAwaiter().GetResult();
    }

    public void Dispose() => Source.Dispose();
}
