using Serilog.Events;

namespace Dns.Management.Control.Replies;

/// <summary>Answers <c>dnsd loglevel</c>.</summary>
public sealed class LogReplies(ServerOperations operations)
{
    public ControlReply Level(ControlCall call)
    {
        if (!Enum.TryParse(call.Argument(0), ignoreCase: true, out LogEventLevel level) || !Enum.IsDefined(level))
            throw new ControlException($"expected a level: {string.Join(", ", SerilogSetting.Levels)}");
        operations.SetLogLevel(level);
        return call.Done($"log level {level}");
    }
}
