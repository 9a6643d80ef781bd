using System.Net;
using System.Runtime.InteropServices;

namespace Dns.Transport;

/// <summary>The receive loops of one UDP address. What the contract tests hold every listener to.</summary>
internal interface IUdpListener : IDisposable
{
    /// <summary>The address bound, with the port that was chosen if 0 was asked for.</summary>
    IPEndPoint EndPoint { get; }

    /// <summary>The sockets bound to the address, which stay the listener's.</summary>
    IEnumerable<SafeHandle> Handles { get; }

    /// <summary>A copy of the counters.</summary>
    UdpCounters Counters { get; }

    /// <summary>Starts the loops. Once only.</summary>
    void Start(IMessageResponder responder);

    /// <summary>
    /// Lets every loop finish the answers it is at, for at most <paramref name="grace"/>, then closes the
    /// sockets and gives the buffers back. Safe to call when not started, and twice.
    /// </summary>
    Task StopAsync(TimeSpan grace);
}
