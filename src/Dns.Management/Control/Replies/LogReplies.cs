using Serilog.Events;

namespace Dns.Management.Control.Replies;

/// <summary>Answers <c>dnsd loglevel</c> and <c>dnsd querylog</c>.</summary>
internal sealed class LogReplies(ServerOperations operations)
{
    public ControlReply Level(ControlCall call)
    {
        if (!Enum.TryParse(call.Argument(0), ignoreCase: true, out LogEventLevel level) || !Enum.IsDefined(level))
            throw new ControlException($"expected a level: {string.Join(", ", SerilogSetting.Levels)}");
        operations.SetLogLevel(level);
        return call.Done($"log level {level}");
    }

    public ControlReply Queries(ControlCall call)
    {
        bool isOn = call.Argument(0) switch
        {
            "on" => true,
            "off" => false,
            _ => throw new ControlException("expected on or off"),
        };
        operations.SetQueryLog(isOn);
        return call.Done($"query log {(isOn ? "on" : "off")}");
    }
}
