namespace Dns.Features.QueryLog;

/// <summary>The log of queries, in a file or on a standard stream.</summary>
public sealed class QueryLogFeature(NamedRecorder? log) : RecordingFeature(log is null ? [] : [log]), IFeature
{
    public static IEnumerable<Setting> Settings => [QueryLogOptions.Section];

    public static Feature Create(ServerParts parts)
    {
        QueryLogOptions options = parts.Options.Of(QueryLogOptions.Section);
        return new QueryLogFeature(options.File is not { } file ? null : NamedRecorder.Of(
            "query_log", new QueryLogSink(file, options.Format, parts.Clock), options.Sample,
            new AnswerFilter(options.Clients, options.Zones, options.Rcodes), parts.Clock, parts.Loggers,
            parts.Exceptions));
    }

    public static IEnumerable<WrittenFile> FindFiles(ServerOptions options) =>
        options.Of(QueryLogOptions.Section).File is { } file ? [new("Dns:QueryLog:File", file)] : [];

    public override void AddTo(CommandTable commands) => commands.Add("querylog", call =>
    {
        bool isOn = call.Argument(0) switch
        {
            "on" => true,
            "off" => false,
            _ => throw new ControlException("expected on or off"),
        };
        if (log is null)
            throw new OperationException(OperationError.NotConfigured, "no query log is configured");
        log.Recorder.IsOn = isOn;
        return call.Done($"query log {(isOn ? "on" : "off")}");
    });
}
