namespace Dns.Transport.Binding;

/// <summary>
/// One bound address that is served: made by the factory of its kind, started and stopped by a
/// <see cref="ListenerSet"/>.
/// </summary>
public interface IListener
{
    /// <summary>The bound address, with a chosen port in place of 0.</summary>
    ListenerAddress Address { get; }

    /// <summary>The bound sockets, to pass to another process; they stay owned by the listener.</summary>
    IEnumerable<SafeHandle> Handles { get; }

    /// <summary>Counters of its datagrams. Connections are counted where they are admitted, by the host.</summary>
    UdpCounters Counters => default;

    /// <summary>False if accepting has stalled or only fails; the server then is not alive.</summary>
    bool IsAccepting => true;

    /// <summary>Starts to serve; nothing is received before. At most once.</summary>
    void Start(IMessageResponder responder);

    /// <summary>Stops accepting connections; existing ones and datagrams are still served.</summary>
    void StopAccepting();

    /// <summary>
    /// Stops receiving, answers what was read, waits for pending replies for about <paramref name="grace"/>, then
    /// closes everything. Also without a start; idempotent; never throws.
    /// </summary>
    Task StopAsync(TimeSpan grace);
}
