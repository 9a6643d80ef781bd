using System.Net;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>Services shared by all upstreams.</summary>
/// <param name="Wheel">Timers.</param>
/// <param name="Random">Unpredictable numbers.</param>
/// <param name="Network">The sockets.</param>
/// <param name="SocketRefused">Called when the system refuses a socket for an address.</param>
internal sealed record UpstreamServices(
    MonotonicClock Clock, TimingWheel Wheel, RandomOctets Random, IOutgoingNetwork Network,
    Action<IPEndPoint> SocketRefused)
{
    /// <summary>Receives unexpected exceptions.</summary>
    internal IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>
    /// Called after a change of state, with the time the upstream was down if it is back. Never under a lock.
    /// </summary>
    internal Action<Upstream, TimeSpan>? StateChanged { get; init; }
}
