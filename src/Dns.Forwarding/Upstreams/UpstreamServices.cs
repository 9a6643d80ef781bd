namespace Dns.Forwarding.Upstreams;

/// <summary>Services shared by all upstreams.</summary>
/// <param name="SocketRefused">Called when the system has no socket for an upstream.</param>
internal sealed record UpstreamServices(
    MonotonicClock Clock, TimingWheel Wheel, RandomOctets Random, IOutgoingNetwork Network,
    Action<Upstream, NetworkFault> SocketRefused)
{
    internal IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    // Called after a change of state, with the time the upstream was down if it is back. Never under a lock.
    internal Action<Upstream, TimeSpan>? StateChanged { get; init; }
}
