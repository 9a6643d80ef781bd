using Serilog;
using Serilog.Core;
using Serilog.Debugging;
using Serilog.Events;

namespace Dns.Hosting.Log;

/// <summary>Disposes a log without exceptions: a full disk for its last lines must not look like a crash.</summary>
internal sealed class ShutdownLog(Logger log) : ILogger, IDisposable
{
    public void Write(LogEvent logEvent) => log.Write(logEvent);

    public bool IsEnabled(LogEventLevel level) => log.IsEnabled(level);

    public ILogger ForContext(ILogEventEnricher enricher) => log.ForContext(enricher);

    public ILogger ForContext(IEnumerable<ILogEventEnricher> enrichers) => log.ForContext(enrichers);

    public ILogger ForContext(string propertyName, object? value, bool destructureObjects = false) =>
        log.ForContext(propertyName, value, destructureObjects);

    public void Dispose()
    {
        try
        {
            log.Dispose();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            SelfLog.WriteLine("The log was not ended: {0}", error.Message);
        }
    }
}
