namespace Dns.Features.Updates;

/// <summary>Answers <c>dnsd zone sync|freeze|thaw|journal</c>.</summary>
public sealed class UpdateReplies(UpdateOperations operations)
{
    public ControlReply Synchronise(ControlCall call) => Reply(call, operations.Synchronise(call.Name(0)), "");

    public ControlReply Freeze(ControlCall call) =>
        Reply(call, operations.Freeze(call.Name(0)), "; updates are refused until \"dnsd zone thaw\"");

    public ControlReply Thaw(ControlCall call)
    {
        (ZoneStatus status, uint? before) = operations.Thaw(call.Name(0), call.Cancellation);
        return call.Reply(status, ControlJson.Default.ZoneStatus, text =>
        {
            text.WriteLine(
                $"zone {status.Name} is served from its file with serial {status.Serial}, and updated again");
            if (before is not null)
                text.WriteLine($"warning: serial {status.Serial} is not above {before}, served until now: " +
                    "secondaries will not notice, raise it in the file");
        });
    }

    /// <summary>Answers <c>dnsd zone journal</c>: a zone, and the maximum number of changes.</summary>
    public ControlReply Journal(ControlCall call)
    {
        if (!int.TryParse(call.Argument(1) ?? "100", NumberStyles.None, CultureInfo.InvariantCulture, out int limit))
            throw new ControlException($"\"{call.Argument(1)}\" is not a number of changes");
        JournalContent content = operations.Journal(call.Name(0), limit);
        return call.Reply(content, ControlJson.Default.JournalContent, content.Write);
    }

    private static ControlReply Reply(ControlCall call, ZoneSynchronisation result, string more) =>
        call.Reply(result.Zone, ControlJson.Default.ZoneStatus, text => text.WriteLine(
            $"zone {result.Zone.Name} with serial {result.Serial} is in {result.File}"
            + (result.Backup is null ? ", which lacked nothing"
                : $", the {(result.WasEdited ? "edited file" : "file from before")} in {result.Backup}") + more));
}
