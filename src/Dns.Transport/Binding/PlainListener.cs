using System.Net.Sockets;

namespace Dns.Transport.Binding;

/// <summary>Plain DNS: UDP and TCP on one port.</summary>
internal sealed class PlainListener(IUdpListener udp, IListener tcp) : IListener
{
    public ListenerAddress Address => tcp.Address;

    public IEnumerable<SafeHandle> Handles => [.. udp.Handles, .. tcp.Handles];

    public UdpCounters Counters => udp.Counters;

    public bool IsAccepting => tcp.IsAccepting;

    public void Start(IMessageResponder responder)
    {
        udp.Start(responder);
        tcp.Start(responder);
    }

    public void StopAccepting() => tcp.StopAccepting();

    public Task StopAsync(TimeSpan grace) => Task.WhenAll(udp.StopAsync(grace), tcp.StopAsync(grace));

    /// <summary>The factory.</summary>
    internal sealed class Factory : IListenerFactory
    {
        // Two tries usually suffice: the port chosen for UDP must be free for TCP too.
        private const int FreePortTries = 32;

        public IListener? TryBind(ListenerAddress address, ListenerHost host, out BindFailure? failure)
        {
            for (int tries = 1; ; tries++)
            {
                IUdpListener udp;
                try
                {
                    udp = UdpListeners.Bind(host.UdpListener, address.EndPoint, host.Options);
                }
                catch (SocketException error)
                {
                    failure = BindFailure.From(address, ProtocolType.Udp, error);
                    return null;
                }
                if (host.TryBindStreams(address with { EndPoint = udp.EndPoint }, null, out failure) is { } tcp)
                    return new PlainListener(udp, tcp);
                udp.Dispose();
                bool mayRetry = failure!.Kind == BindFailureKind.AddressInUse && address.EndPoint.Port == 0;
                if (!mayRetry || tries == FreePortTries) return null;
            }
        }
    }
}
