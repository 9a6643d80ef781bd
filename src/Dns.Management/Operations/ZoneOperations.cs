namespace Dns.Management.Operations;

/// <summary>
/// The commands for the zones of a running server, besides <see cref="ServerOperations"/>. Thread-safe.
/// </summary>
public sealed class ZoneOperations(
    ZoneStatusReader zones, IZoneControl control, IFeatureStatus features)
{
    // EEXIST, ENOTDIR and EROFS.
    private const int FileExists = 17, NotDirectory = 20, ReadOnlyFileSystem = 30;

    /// <summary>The first zones, sorted by name, of those whose name has a prefix; empty = any.</summary>
    public ZonePage List(int limit, bool onlyBroken, string beginning) => ZonePage.Of(
        zones.Zones.Where(zone => (!onlyBroken || zone.Failure is not null)
            &&
            (beginning.Length == 0 || zone.Name.ToString().StartsWith(beginning, StringComparison.OrdinalIgnoreCase))),
        limit, zones.Now);

    /// <summary>The details of a zone, with every error of an invalid file, which is read again for them.</summary>
    public ZoneStatus Read(DomainName zone, CancellationToken cancellation)
    {
        ZoneStatus status = Read(zone);
        if (status.Failure is null || status.File.Length == 0) return status;
        IReadOnlyList<string> errors = control.FindErrors(zone, status.File, cancellation);
        return Read(zone) with { Errors = errors };
    }

    /// <summary>Reloads a zone from its source, changed or not.</summary>
    public async Task<ZoneStatus> ReloadAsync(DomainName zone, CancellationToken cancellation)
    {
        Find(zone);
        ZoneLoadSummary summary = await control.ReloadAsync([zone], cancellation).ConfigureAwait(false);
        if (summary.NotTaken == 0 || zones.Find(zone) is not { Failure: { } failure } slot) return Read(zone);
        string served = slot.Zone is { } data ? $"serial {data.Serial} is still served" : "it is not served";
        throw new OperationException(OperationError.Rejected, $"zone {zone}: {failure}; {served}");
    }

    /// <summary>Adds a zone with a file (absolute path), persistently.</summary>
    public ZoneStatus Add(DomainName zone, string file, CancellationToken cancellation)
    {
        if (!Path.IsPathFullyQualified(file))
            throw new OperationException(OperationError.Invalid, $"\"{file}\" is not a whole path");
        if (features.FindObstacle(zone) is { } obstacle)
            throw new OperationException(OperationError.Rejected, $"zone {zone} is not added: {obstacle}");
        IReadOnlyList<string> errors = Keep(() => control.Add(zone, file, cancellation), $"zone {zone} is not added");
        if (errors.Count == 0) return Read(zone);
        string now = zones.Find(zone)?.Zone is { } data
            ? $"serial {data.Serial} of its own file is still served" : "nothing has changed";
        throw new OperationException(
            OperationError.Rejected, string.Join('\n', [.. errors, $"zone {zone} is not added: {now}"]));
    }

    /// <summary>Removes a zone, persistently.</summary>
    public ZoneRemoval Remove(DomainName zone)
    {
        ZoneSlot slot = Find(zone);
        if (Keep(() => control.Remove(zone), $"zone {zone} is not removed") is { } removal)
            return removal with { IsStillServed = zones.Find(zone) is not null };
        if (slot.Source is { Writer: { } writer } source)
        {
            // Read before: a slot that is withdrawn has no source.
            string origin = source.OriginOf(slot).Source;
            ZoneWrite write = ZoneWrite.Remove(zone, new ZoneAuthor(ZoneWriteOrigin.Command, "the control socket"));
            ZoneWriteResult result = writer.WriteAsync([write], CancellationToken.None).GetAwaiter().GetResult()[0];
            if (result.Faults is not [var fault, ..]) return new ZoneRemoval($"removed from {origin}", null);
            throw new OperationException(
                OperationError.Rejected, $"zone {zone} is not removed: {ZoneWriteFaultText.Of(fault)}");
        }
        string from = slot is SecondaryZone ? "is a secondary" : $"comes from {slot.Source?.OriginOf(slot).Source}";
        throw new OperationException(OperationError.Invalid,
            $"zone {zone} {from}: take it out of the settings or its catalog; only zones of files are removed");
    }

    /// <summary>Reads the settings and all changed zones again; a trial only reports the effects.</summary>
    /// <returns>The changes. Settings are valid, zones may have errors.</returns>
    public ReloadReport ReloadAll(bool isTrial, CancellationToken cancellation) =>
        control.Reload(isTrial, cancellation);

    private ZoneStatus Read(DomainName zone) => zones.Read(zone) ?? throw Unknown(zone);

    private ZoneSlot Find(DomainName zone) => Find(zones, zone);

    /// <summary>A zone of the server.</summary>
    /// <exception cref="OperationException">There is none of this name.</exception>
    public static ZoneSlot Find(ZoneStatusReader zones, DomainName zone) => zones.Find(zone) ?? throw Unknown(zone);

    private static T Keep<T>(Func<T> change, string undone)
    {
        try
        {
            return change();
        }
        catch (IOException error)
        {
            // Another directory does not help against a full disk or a damaged file.
            bool isOther = error.InnerException is UnauthorizedAccessException or
                { HResult: FileExists or NotDirectory or ReadOnlyFileSystem };
            string advice = isOther
                ? "\nDns:StateDirectory names a directory that the server may write; null keeps nothing" : "";
            throw new OperationException(OperationError.NotStored, $"{undone}: {error.Message}{advice}");
        }
    }

    private static OperationException Unknown(DomainName zone) =>
        new(OperationError.NotFound, $"no zone {zone} is served here");
}
