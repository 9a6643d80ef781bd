namespace Dns.Management.Control.Replies;

/// <summary>Answers <c>dnsd zones</c>, commands for one zone, and <c>dnsd reload</c>.</summary>
public sealed class ZoneReplies(ZoneOperations operations)
{
    /// <summary>Answers <c>dnsd zones</c>: maximum number, whether only those with errors, prefix of names.</summary>
    public ControlReply List(ControlCall call)
    {
        if (!int.TryParse(call.Argument(0) ?? "100", NumberStyles.None, CultureInfo.InvariantCulture, out int limit))
            throw new ControlException($"\"{call.Argument(0)}\" is not a number of zones");
        ZonePage list = operations.List(limit, call.IsSet(1), call.Argument(2) ?? "");
        return call.Reply(list, ControlJson.Default.ZonePage, text => ZoneTexts.Write(list, text));
    }

    public ControlReply Status(ControlCall call)
    {
        ZoneStatus status = operations.Read(call.Name(0), call.Cancellation);
        return Reply(call, status) with { IsBad = status.Failure is not null };
    }

    public ControlReply Reload(ControlCall call) =>
        Reply(call, operations.ReloadAsync(call.Name(0), call.Cancellation).GetAwaiter().GetResult());

    /// <summary>Answers <c>dnsd zone add</c>: a zone and its file.</summary>
    public ControlReply Add(ControlCall call) => Reply(call, operations.Add(
        call.Name(0), call.Argument(1) ?? throw new ControlException("a file is missing"), call.Cancellation));

    public ControlReply Remove(ControlCall call)
    {
        string zone = call.Name(0).ToString();
        ZoneRemoval removal = operations.Remove(call.Name(0));
        string settings = removal.SettingsFile is { } file
            ? $"; the settings still have it, with {file}, and \"dnsd zone add {zone} {file}\" brings it back" : "";
        string left = removal.IsStillServed
            ? $"the file of zone {zone} is not used any more, {removal.Lasting}; the zone is served from another source"
            : $"zone {zone} is not served any more, {removal.Lasting}";
        return call.Done(left + settings);
    }

    /// <summary>Answers <c>dnsd reload</c>: whether it is a trial.</summary>
    public ControlReply ReloadAll(ControlCall call)
    {
        bool isTrial = call.IsSet(0);
        ReloadReport report = operations.ReloadAll(isTrial, call.Cancellation);
        return call.Reply(report, ControlJson.Default.ReloadReport, report.Write) with { IsBad = report.Failed > 0 };
    }

    /// <summary>Replies with the status of a zone.</summary>
    public static ControlReply Reply(ControlCall call, ZoneStatus status) =>
        call.Reply(status, ControlJson.Default.ZoneStatus, text => ZoneTexts.Write(status, text));
}
