using Microsoft.Extensions.Logging;

namespace Dns.Management.Control;

/// <summary>Maps control commands to the methods that read their arguments, run and reply. Thread-safe.</summary>
public sealed class ControlDispatcher
{
    private readonly CommandTable _commands;
    private readonly ILogger<ControlDispatcher> _logger;
    private readonly LiveResponder _responder;

    public ControlDispatcher(
        CommandTable commands, IFeatureStatus features, StatusReplies status, ZoneReplies zones, LogReplies log,
        WhyQuery why, ServerOperations operations, LiveResponder responder, ILogger<ControlDispatcher> logger)
    {
        (_commands, _responder, _logger) = (commands, responder, logger);
        commands.Add("status", status.Status);
        commands.Add("ready", status.Ready);
        commands.Add("stats", status.Statistics);
        commands.Add("zones", zones.List);
        commands.Add("zone status", zones.Status);
        commands.Add("zone reload", zones.Reload);
        commands.Add("zone add", zones.Add);
        commands.Add("zone remove", zones.Remove);
        commands.Add("reload", zones.ReloadAll);
        commands.Add("loglevel", log.Level);
        commands.Add("why", why.Explain);
        commands.Add("stop", call =>
        {
            call.Afterwards = operations.Stop;
            return call.Done("stopping");
        });
        features.AddTo(commands);
    }

    /// <summary>Runs a command. Never throws.</summary>
    public ControlReply Answer(ControlCall call)
    {
        try
        {
            if (call.View is { } view) _ = ViewNames.Find(_responder.Current.Views, view);
            return _commands.Find(call.Command) is { } command
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
