using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Events;

/// <summary>Events 190 to 199: what loops and timers did not expect.</summary>
public static partial class LoopEvents
{
    /// <summary>
    /// A defect of the server: please report it with this line, which has the octets of the message. The loop
    /// continues. Logged once for each loop and type of exception; all are counted in <c>dnsd_faults_total</c>.
    /// </summary>
    [LoggerMessage(190, LogLevel.Error, "Unexpected exception in loop {Loop}, message {Octets}")]
    public static partial void LoopFailed(this ILogger logger, Exception error, string loop, string octets);
}
