using Dns.Protocol;
using Dns.Replication;
using Dns.Zones;

namespace Dns.Management;

/// <summary>
/// What an operator can do with the zones of a running server, beside <see cref="ServerOperations"/>: every interface calls these,
/// and shows what they return or why they threw an <see cref="OperationException"/>. Thread-safe.
/// </summary>
internal sealed class ZoneOperations(
    ZoneStatusReader zones, IZoneControl control, NotifySender notifications)
{
    /// <summary>The first zones in the order of their names.</summary>
    /// <param name="limit">How many at most.</param>
    /// <param name="onlyBroken">Whether only zones with errors are meant.</param>
    /// <param name="beginning">What their names begin with; empty = any.</param>
    public ZonePage List(int limit, bool onlyBroken, string beginning) => ZonePage.Of(
        zones.Zones.Where(zone => (!onlyBroken || zone.Failure is not null)
            && (beginning.Length == 0 || zone.Name.ToString().StartsWith(beginning, StringComparison.OrdinalIgnoreCase))),
        limit, zones.Now);

    /// <summary>Everything about a zone, and every error of a file that is not taken: that one is read again for it.</summary>
    public ZoneStatus Read(DomainName zone, CancellationToken cancellation)
    {
        ZoneStatus status = Read(zone);
        if (status.Failure is null || status.File.Length == 0) return status;
        IReadOnlyList<string> errors = control.FindErrors(zone, status.File, cancellation);
        return Read(zone) with { Errors = errors };
    }

    /// <summary>Has the source of a zone bring its data again, whether or not it has changed.</summary>
    public async Task<ZoneStatus> ReloadAsync(DomainName zone, CancellationToken cancellation)
    {
        Find(zone);
        ZoneLoadSummary summary = await control.ReloadAsync([zone], cancellation).ConfigureAwait(false);
        if (summary.Failed == 0 || zones.Find(zone) is not { Failure: { } failure } slot) return Read(zone);
        string served = slot.Zone is { } data ? $"serial {data.Serial} is still served" : "it is not served";
        throw new OperationException(OperationError.Rejected, $"zone {zone}: {failure}; {served}");
    }

    /// <summary>Notifies the secondaries of a zone now, whether or not it has changed.</summary>
    /// <returns>How many are notified.</returns>
    public int Notify(DomainName zone)
    {
        ZoneSlot slot = Find(zone);
        if (slot.Zone is null) throw new OperationException(OperationError.Rejected, $"zone {zone} has no data");
        int count = notifications.Send(slot);
        return count > 0 ? count
            : throw new OperationException(OperationError.Rejected, $"nobody is to be notified of zone {zone}: set Notify");
    }

    /// <summary>Asks the primaries of a zone for a newer version, and waits for it.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="isWhole">Whether all of it is transferred, whatever is here.</param>
    /// <param name="cancellation">Ends the waiting; the refresh goes on.</param>
    public async Task<ZoneStatus> RefreshAsync(DomainName zone, bool isWhole, CancellationToken cancellation)
    {
        if (Find(zone) is not SecondaryZone { Source: SecondarySource source } secondary)
            throw new OperationException(OperationError.Invalid, $"zone {zone} is no secondary: there is no primary to ask");
        TransferFailure? failure = await source.RefreshAsync(secondary, isWhole, cancellation).ConfigureAwait(false);
        if (failure is null) return Read(zone);
        string served = secondary.Zone is { } data ? $"serial {data.Serial} is still served" : "it is not served";
        throw new OperationException(OperationError.Rejected, $"zone {zone}: {failure.Message}; {served}");
    }

    /// <summary>Serves a zone from a file, after restarts too.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="file">The whole path of its file.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    public ZoneStatus Add(DomainName zone, string file, CancellationToken cancellation)
    {
        if (!Path.IsPathFullyQualified(file)) throw new OperationException(OperationError.Invalid, $"\"{file}\" is not a whole path");
        IReadOnlyList<string> errors = Keep(() => control.Add(zone, file, cancellation), $"zone {zone} is not added");
        if (errors.Count == 0) return Read(zone);
        string now = zones.Find(zone)?.Zone is { } data ? $"serial {data.Serial} of its own file is served on" : "nothing has changed";
        throw new OperationException(
            OperationError.Rejected, string.Join('\n', [.. errors, $"zone {zone} is not added: {now}"]));
    }

    /// <summary>Serves a zone no more, after restarts neither.</summary>
    public ZoneRemoval Remove(DomainName zone)
    {
        ZoneSlot slot = Find(zone);
        if (Keep(() => control.Remove(zone), $"zone {zone} is not removed") is { } removal) return removal;
        string from = slot is SecondaryZone ? "is a secondary" : $"comes from {slot.Source?.OriginOf(slot).Words}";
        throw new OperationException(OperationError.Invalid,
            $"zone {zone} {from}: take it out of the settings or its catalog; only zones of files are removed");
    }

    /// <summary>Reads the settings and all changed zones again.</summary>
    /// <param name="isTrial">Whether nothing is changed, and the result says what would be.</param>
    /// <param name="cancellation">Ends the reading of zones early.</param>
    /// <returns>What has changed. Settings without errors, zones perhaps with some.</returns>
    public ReloadReport ReloadAll(bool isTrial, CancellationToken cancellation) => control.Reload(isTrial, cancellation);

    private ZoneStatus Read(DomainName zone) => zones.Read(zone) ?? throw Unknown(zone);

    private ZoneSlot Find(DomainName zone) => zones.Find(zone) ?? throw Unknown(zone);

    private static T Keep<T>(Func<T> change, string undone)
    {
        try
        {
            return change();
        }
        catch (IOException error)
        {
            throw new OperationException(OperationError.NotKept,
                $"{undone}: {error.Message}\nDns:StateDirectory names a directory that the server may write; null keeps nothing");
        }
    }

    private static OperationException Unknown(DomainName zone) =>
        new(OperationError.NotFound, $"no zone {zone} is served here");
}
