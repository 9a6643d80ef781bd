using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>Everything that can be asked of a running server. Thread-safe.</summary>
internal sealed class ControlVerbs
{
    private readonly Dictionary<string, Func<ControlCall, ControlReply>> _verbs;
    private readonly ILogger<ControlVerbs> _logger;

    public ControlVerbs(
        StatusReplies status, ZoneVerbs zones, LogVerbs log, CacheVerbs cache, WhyVerb why,
        IHostApplicationLifetime lifetime, ILogger<ControlVerbs> logger)
    {
        _logger = logger;
        _verbs = new()
        {
            ["status"] = status.Status,
            ["ready"] = status.Ready,
            ["stats"] = status.Statistics,
            ["zones"] = zones.List,
            ["zone status"] = zones.Status,
            ["zone reload"] = zones.Reload,
            ["zone add"] = zones.Add,
            ["zone remove"] = zones.Remove,
            ["reload"] = zones.ReloadAll,
            ["loglevel"] = log.Level,
            ["querylog"] = log.Queries,
            ["cache flush"] = cache.Flush,
            ["cache lookup"] = cache.Lookup,
            ["why"] = why.Explain,
            ["stop"] = call =>
            {
                call.Afterwards = lifetime.StopApplication;
                return call.Done("stopping");
            },
        };
    }

    /// <summary>Does what is asked. Never throws.</summary>
    public ControlReply Answer(ControlCall call)
    {
        try
        {
            return _verbs.TryGetValue(call.Verb, out Func<ControlCall, ControlReply>? verb)
                ? verb(call)
                : new ControlReply { Error = $"this server does not know \"{call.Verb}\"" };
        }
        catch (ControlException error)
        {
            return new ControlReply { Error = error.Message };
        }
        catch (OperationCanceledException)
        {
            return new ControlReply { Error = "the server is stopping" };
        }
        catch (Exception error)
        {
            _logger.ControlVerbFailed(error, call.Verb);
            return new ControlReply { Error = "it failed, and the log says why: " + error.Message.ReplaceLineEndings(" ") };
        }
    }
}
