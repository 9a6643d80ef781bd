namespace Dns.Transport.Udp;

/// <summary>The receive loops of one UDP address. The contract tests apply to every implementation.</summary>
internal interface IUdpListener : IDisposable
{
    /// <summary>The bound address, with a chosen port in place of 0.</summary>
    IPEndPoint EndPoint { get; }

    /// <summary>The bound sockets, owned by the listener.</summary>
    IEnumerable<SafeHandle> Handles { get; }

    UdpCounters Counters { get; }

    /// <summary>Starts the loops. Once only.</summary>
    void Start(IMessageResponder responder);

    /// <summary>
    /// Lets every loop finish its current answers, for at most <paramref name="grace"/>, then closes the sockets and
    /// returns the buffers. Idempotent; may be called without a start.
    /// </summary>
    Task StopAsync(TimeSpan grace);
}
