using Microsoft.Extensions.Logging;

namespace Dns.Management.Control;

/// <summary>Maps control commands to the methods that read their arguments, run and reply. Thread-safe.</summary>
internal sealed class ControlDispatcher
{
    private readonly Dictionary<string, Func<ControlCall, ControlReply>> _commands;
    private readonly ILogger<ControlDispatcher> _logger;

    public ControlDispatcher(
        StatusReplies status, ZoneReplies zones, UpdateReplies updates, LogReplies log, CacheReplies cache,
        WhyQuery why, KeyReplies keys, ServerOperations operations, ILogger<ControlDispatcher> logger)
    {
        _logger = logger;
        _commands = new()
        {
            ["status"] = status.Status,
            ["ready"] = status.Ready,
            ["stats"] = status.Statistics,
            ["zones"] = zones.List,
            ["zone status"] = zones.Status,
            ["zone reload"] = zones.Reload,
            ["zone notify"] = zones.Notify,
            ["zone refresh"] = zones.Refresh,
            ["zone retransfer"] = zones.Retransfer,
            ["zone add"] = zones.Add,
            ["zone remove"] = zones.Remove,
            ["zone sync"] = updates.Synchronise,
            ["zone freeze"] = updates.Freeze,
            ["zone thaw"] = updates.Thaw,
            ["zone journal"] = updates.Journal,
            ["keys list"] = keys.List,
            ["keys ds"] = keys.Ds,
            ["keys rollover"] = keys.RollOver,
            ["keys submitted"] = keys.Submit,
            ["keys request"] = keys.Request,
            ["keys load-bundle"] = keys.LoadBundle,
            ["reload"] = zones.ReloadAll,
            ["loglevel"] = log.Level,
            ["querylog"] = log.Queries,
            ["cache flush"] = cache.Flush,
            ["cache lookup"] = cache.Lookup,
            ["why"] = why.Explain,
            ["stop"] = call =>
            {
                call.Afterwards = operations.Stop;
                return call.Done("stopping");
            },
        };
    }

    /// <summary>Runs a command. Never throws.</summary>
    public ControlReply Answer(ControlCall call)
    {
        try
        {
            return _commands.TryGetValue(call.Command, out Func<ControlCall, ControlReply>? command)
                ? command(call)
                : new ControlReply { Error = $"this server does not know \"{call.Command}\"" };
        }
        catch (Exception error) when (error is ControlException or OperationException)
        {
            return new ControlReply { Error = error.Message };
        }
        catch (OperationCanceledException)
        {
            return new ControlReply { Error = "the server is stopping" };
        }
        catch (Exception error)
        {
            _logger.ControlCommandFailed(error, call.Command);
            return new ControlReply
                { Error = "it failed, and the log says why: " + error.Message.ReplaceLineEndings(" ") };
        }
    }
}
