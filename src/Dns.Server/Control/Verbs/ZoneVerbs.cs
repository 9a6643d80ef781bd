using System.Globalization;
using Dns.Protocol;
using Dns.Providers;
using Dns.Zones;

namespace Dns.Server;

/// <summary><c>dnsd zones</c>, <c>dnsd zone status|reload|add|remove</c> and <c>dnsd reload</c>.</summary>
internal sealed class ZoneVerbs(
    ZoneStatusReader zones, ZoneReloading reloading, ConfiguredZones configured, SettingsReloading settings)
{
    /// <summary>As many errors of a zone as are kept of it.</summary>
    private const int MaxErrors = 1000;

    /// <summary>Lists zones: up to how many, whether only those with errors, and only those whose names begin with a text.</summary>
    public ControlReply List(ControlCall call)
    {
        if (!int.TryParse(call.Argument(0) ?? "100", NumberStyles.None, CultureInfo.InvariantCulture, out int limit))
            throw new ControlException($"\"{call.Argument(0)}\" is not a number of zones");
        bool onlyBroken = call.IsSet(1);
        string beginning = call.Argument(2) ?? "";
        ZonePage list = ZonePage.Of(
            zones.Zones.Where(zone => (!onlyBroken || zone.Failure is not null)
                && (beginning.Length == 0 || zone.Name.ToString().StartsWith(beginning, StringComparison.OrdinalIgnoreCase))),
            limit);
        return call.Reply(list, ControlJson.Default.ZonePage, text => ZoneTexts.Write(list, text));
    }

    /// <summary>Tells all about a zone, and every error of a file that is not taken: that one is read again for it.</summary>
    public ControlReply Status(ControlCall call)
    {
        DomainName zone = call.Name(0);
        if ((zones.Read(zone) ?? throw Unknown(zone)) is not { Failure: not null } status) return Tell(call, zone);
        BrokenZones errors = new() { MaxLines = MaxErrors };
        if (status.File.Length > 0)
            ZoneFileReading.Read([ZoneFile.At(zone, status.File)], 1, errors, call.Cancellation, limits: reloading.Limits);
        return Tell(call, zone, errors.Lines) with { IsBad = true };
    }

    /// <summary>Brings the data of a zone again, whether or not it has changed.</summary>
    public ControlReply Reload(ControlCall call)
    {
        DomainName zone = Known(call);
        ZoneLoadSummary summary = reloading.ReloadAsync([zone], call.Cancellation).GetAwaiter().GetResult();
        if (summary.Failed > 0 && zones.Find(zone) is { Failure: not null } slot) throw Failed(slot);
        return Tell(call, zone);
    }

    /// <summary>Serves a zone from a file, after restarts too.</summary>
    public ControlReply Add(ControlCall call)
    {
        DomainName zone = call.Name(0);
        string file = call.Argument(1) ?? throw new ControlException("a file is missing");
        if (!Path.IsPathFullyQualified(file)) throw new ControlException($"\"{file}\" is not a whole path");
        BrokenZones broken = Kept(() => reloading.Add(ZoneFile.At(zone, file), call.Cancellation), $"zone {zone} is not added");
        if (broken.Count == 0) return Tell(call, zone);
        string now = zones.Find(zone)?.Zone is { } data ? $"serial {data.Serial} of its own file is served on" : "nothing has changed";
        throw new ControlException(string.Join('\n', [.. broken.Lines, $"zone {zone} is not added: {now}"]));
    }

    /// <summary>Serves a zone no more, after restarts neither.</summary>
    public ControlReply Remove(ControlCall call)
    {
        DomainName zone = Known(call);
        if (!Kept(() => reloading.Remove(zone), $"zone {zone} is not removed")) throw Unknown(zone);
        string settings = configured.RemovedFile(zone) is { } file
            ? $"; the settings still have it, with {file.Path}, and \"dnsd zone add {zone} {file.Path}\" brings it back" : "";
        return call.Done($"zone {zone} is not served any more, {configured.Lasting}{settings}");
    }

    private static T Kept<T>(Func<T> change, string undone)
    {
        try
        {
            return change();
        }
        catch (IOException error)
        {
            throw new ControlException(
                $"{undone}: {error.Message}\nDns:StateDirectory names a directory that the server may write; null keeps nothing");
        }
    }

    /// <summary>Reads the settings and all changed zones again, or tells what that would do.</summary>
    public ControlReply ReloadAll(ControlCall call)
    {
        bool isTrial = call.IsSet(0);
        SettingsReloadResult result = settings.Reload(isTrial, call.Cancellation);
        if (result.Zones is null)
            throw new ControlException("the settings are not taken over:\n" + string.Join('\n', result.Problems));
        ReloadReport report = ReloadReport.Of(result, isTrial);
        ControlReply reply = call.Reply(report, ControlJson.Default.ReloadReport, report.Write);
        return reply with { IsBad = report.Failed > 0 };
    }

    private ControlReply Tell(ControlCall call, DomainName zone, IReadOnlyList<string>? errors = null)
    {
        ZoneStatus status = (zones.Read(zone) ?? throw Unknown(zone)) with { Errors = errors ?? [] };
        return call.Reply(status, ControlJson.Default.ZoneStatus, text => ZoneTexts.Write(status, text));
    }

    private DomainName Known(ControlCall call)
    {
        DomainName zone = call.Name(0);
        return zones.Find(zone) is null ? throw Unknown(zone) : zone;
    }

    private static ControlException Failed(ZoneSlot slot)
    {
        string served = slot.Zone is { } data ? $"serial {data.Serial} is still served" : "it is not served";
        return new ControlException($"zone {slot.Name}: {slot.Failure}; {served}");
    }

    private static ControlException Unknown(DomainName zone) => new($"no zone {zone} comes from a file here");
}
