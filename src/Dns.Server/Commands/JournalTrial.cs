namespace Dns.Server.Commands;

/// <summary>
/// Tries, for <c>dnsd check</c>, whether the journals of dynamic updates fit the zone files that are read: with the
/// code of a start, whose changes to files are dropped.
/// </summary>
internal sealed class JournalTrial : IZoneLoadObserver, IUpdateObserver
{
    private const string Folder = "zones";

    private readonly ZoneCheckOutput _output;
    private readonly string _directory;
    private readonly UpdatePolicy _allowed;
    private readonly Dictionary<DomainName, ZonePolicy?> _policies;
    private readonly DiskFiles _disk = new();
    private readonly DynamicZones _zones;
    private readonly bool _isListed;

    /// <param name="output">Receives each zone with its updates; without data if a start would refuse its file.</param>
    /// <param name="directory">The state directory.</param>
    /// <param name="files">The zone files that are read.</param>
    public JournalTrial(
        ZoneCheckOutput output, string directory, ServerOptions options, IReadOnlyList<ZoneFile> files)
    {
        (_output, _directory, _allowed) = (output, directory, new UpdatePolicy(options.AllowUpdate));
        _policies = files.DistinctBy(file => file.Zone).ToDictionary(file => file.Zone, file => file.Policy);
        _zones = new DynamicZones(
            directory, MayChange, this, TimeProvider.System, UpdateHandler.LimitsOf(options), new ShadowFiles(_disk));
        _isListed = IsReadable(() => _disk.List(Path.Join(directory, Folder)));
    }

    public void OnProgress(DomainName zone, string origin, long records) => _output.OnProgress(zone, origin, records);

    public void OnCrash(DomainName zone, string origin, Exception error) => _output.OnCrash(zone, origin, error);

    public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before)
    {
        ZoneLoadResult found = result.Zone is null ? result : Try(zone, origin, result);
        _output.OnRead(zone, origin, found, before);
    }

    private ZoneLoadResult Try(DomainName zone, string path, ZoneLoadResult read)
    {
        ZoneSlot slot = new(zone);
        // What this user may not read, the server may: there is a warning of it.
        if (!_isListed || !_zones.Covers(slot) || !IsReadable(() => OpenFilesOf(zone))) return read;
        ZoneLoadResult found = _zones.Publish(slot, read, path, TimeProvider.System.GetUtcNow());
        UpdateState? state = _zones.StatusOf(zone);
        if (state?.Loss is { } loss) _output.Warn($"{path}: warning: {loss}");
        // With a kept version the zone is served, and the file is not.
        return state?.Conflict is { } conflict && found.Zone is not null
            ? found.Refuse(new ZoneDiagnostic(Severity.Error, path, 0, 0, conflict)) : found;
    }

    private void OpenFilesOf(DomainName zone)
    {
        string path = Path.Join(_directory, Folder, ZoneFileNames.Of(zone));
        foreach (string ending in (string[])[DynamicZones.JournalEnding, DynamicZones.KeptEnding])
            if (_disk.TryOpen(path + ending, out IJournalFile? file)) file.Dispose();
    }

    private static bool IsReadable(Action read)
    {
        try
        {
            read();
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    private bool MayChange(ZoneSlot slot) =>
        (_policies.GetValueOrDefault(slot.Name)?.AllowUpdate ?? _allowed).Rules.Count > 0;

    void IUpdateObserver.OnApplied(
        DomainName zone, string client, DomainName? key, int removed, int added, uint serial)
    {
    }

    void IUpdateObserver.OnRefused(DomainName zone, string client, DomainName? key, string reason)
    {
    }

    void IUpdateObserver.OnFailed(DomainName zone, string reason)
    {
    }

    void IUpdateObserver.OnNotCompacted(DomainName zone, long octets)
    {
    }

    void IUpdateObserver.OnLoss(DomainName zone, string path, JournalLoss loss)
    {
    }

    void IUpdateObserver.OnConflict(DomainName zone, string conflict)
    {
    }

    void IUpdateObserver.OnCrash(DomainName zone, Exception error)
    {
    }
}
