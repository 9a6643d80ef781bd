using System.Net;
using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>What everything that talks to upstreams shares.</summary>
/// <param name="Clock">The time.</param>
/// <param name="Wheel">Timers.</param>
/// <param name="Random">Numbers nobody can guess.</param>
/// <param name="Network">The sockets.</param>
/// <param name="LackedSocket">Told when the system gives no socket for an address.</param>
internal sealed record UpstreamServices(
    MonotonicClock Clock, TimingWheel Wheel, RandomOctets Random, IOutgoingNetwork Network, Action<IPEndPoint> LackedSocket)
{
    /// <summary>Where unexpected exceptions are reported.</summary>
    internal IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>Told that an upstream is in another state, and how long it was down if it is back. Never under a lock.</summary>
    internal Action<Upstream, TimeSpan>? StateChanged { get; init; }
}
