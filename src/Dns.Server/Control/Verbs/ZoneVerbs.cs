using System.Globalization;
using Dns.Protocol;
using Dns.Providers;
using Dns.Zones;

namespace Dns.Server;

/// <summary><c>dnsd zones</c>, <c>dnsd zone status|reload|add|remove</c> and <c>dnsd reload</c>.</summary>
internal sealed class ZoneVerbs(
    MasterFileProvider provider, ZoneReloading reloading, ZoneSources sources, SettingsReloading settings)
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
        List<ZoneLine> lines = [];
        int left = 0;
        foreach (ZoneFileStatus zone in provider.Zones)
        {
            if (onlyBroken && zone.Failure is null) continue;
            if (beginning.Length > 0 && !zone.File.Zone.ToString().StartsWith(beginning, StringComparison.OrdinalIgnoreCase)) continue;
            if (lines.Count < limit) lines.Add(ZoneReports.LineOf(zone));
            else left++;
        }
        ZoneList list = new(lines, left);
        return call.Reply(list, ControlJson.Default.ZoneList, text => ZoneReports.Write(list, text));
    }

    /// <summary>Tells all about a zone, and every error of a file that is not taken: that one is read again for it.</summary>
    public ControlReply Status(ControlCall call)
    {
        DomainName zone = call.Name(0);
        if ((provider.Find(zone) ?? throw Unknown(zone)) is not { Failure: not null } status) return Tell(call, zone);
        BrokenZones errors = new() { MaxLines = MaxErrors };
        ZoneFileReading.Read([status.File], 1, errors, call.Cancellation, limits: provider.Limits);
        return Tell(call, zone, errors.Lines) with { IsBad = true };
    }

    /// <summary>Reads the file of a zone again, whether or not it has changed.</summary>
    public ControlReply Reload(ControlCall call)
    {
        DomainName zone = Known(call);
        ZoneLoadSummary summary = reloading.Reload([zone], call.Cancellation);
        if (summary.Failed > 0) throw Failed(zone);
        return Tell(call, zone);
    }

    /// <summary>Serves a zone from a file, after restarts too.</summary>
    public ControlReply Add(ControlCall call)
    {
        RequireLoaded();
        DomainName zone = call.Name(0);
        string file = call.Argument(1) ?? throw new ControlException("a file is missing");
        if (!Path.IsPathFullyQualified(file)) throw new ControlException($"\"{file}\" is not a whole path");
        BrokenZones broken = Kept(() => reloading.Add(ZoneFile.At(zone, file), call.Cancellation), $"zone {zone} is not added");
        if (broken.Count == 0) return Tell(call, zone);
        string now = provider.Find(zone)?.Data is { } data ? $"serial {data.Serial} of its own file is served on" : "nothing has changed";
        throw new ControlException(string.Join('\n', [.. broken.Lines, $"zone {zone} is not added: {now}"]));
    }

    /// <summary>Serves a zone no more, after restarts neither.</summary>
    public ControlReply Remove(ControlCall call)
    {
        DomainName zone = Known(call);
        if (!Kept(() => reloading.Remove(zone), $"zone {zone} is not removed")) throw Unknown(zone);
        string settings = sources.RemovedFile(zone) is { } file
            ? $"; the settings still have it, with {file.Path}, and \"dnsd zone add {zone} {file.Path}\" brings it back" : "";
        return call.Done($"zone {zone} is not served any more, {Lasting}{settings}");
    }

    /// <summary>How long what a command has changed lasts.</summary>
    private string Lasting => sources.StateFile is { } file ? $"kept in {file}" : "until the server ends (Dns:StateDirectory)";

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
        RequireLoaded();
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
        ZoneFileStatus status = provider.Find(zone) ?? throw Unknown(zone);
        ZoneDetail detail = ZoneReports.DetailOf(status) with
        {
            Origin = sources.IsAdded(status.File) ? "dnsd zone add, " + Lasting : "the settings",
            Errors = errors ?? [],
        };
        return call.Reply(detail, ControlJson.Default.ZoneDetail, text => ZoneReports.Write(detail, text));
    }

    private DomainName Known(ControlCall call)
    {
        RequireLoaded();
        DomainName zone = call.Name(0);
        return provider.Find(zone) is null ? throw Unknown(zone) : zone;
    }

    private void RequireLoaded()
    {
        if (!reloading.IsLoaded) throw new ControlException("zones are still being loaded: try again in a while");
    }

    private ControlException Failed(DomainName zone)
    {
        ZoneFileStatus? status = provider.Find(zone);
        string served = status?.Data is { } data ? $"serial {data.Serial} is still served" : "it is not served";
        return new ControlException($"zone {zone}: {status?.Failure ?? "it has errors"}; {served}");
    }

    private static ControlException Unknown(DomainName zone) => new($"no zone {zone} comes from a file here");
}
