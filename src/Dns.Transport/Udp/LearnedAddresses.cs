using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>
/// The local addresses that datagrams to a wildcard were sent to, each with sockets and workers of its own, which the
/// kernel then prefers: an answer must leave from the queried address, and a portable send cannot choose it. Addresses
/// that appear later are thus served too, and only first datagrams allocate. Thread-safe.
/// </summary>
internal sealed class LearnedAddresses(int port, IMessageResponder responder, TransportOptions options)
{
    // A machine may route whole networks to itself; addresses beyond the bound stay on the slow path.
    private const int MaxAddresses = 256;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, UdpWorkerGroup> _groups = [];
    private bool _stopped;
    private volatile bool _closed;

    public UdpCounters Counters
    {
        get
        {
            UdpCounters sum = default;
            lock (_gate)
            {
                foreach (UdpWorkerGroup workers in _groups.Values) sum += workers.Counters;
            }
            return sum;
        }
    }

    /// <summary>Sends an answer from an address, and opens its workers. False on any failure.</summary>
    public bool TrySend(IPAddress local, ReadOnlySpan<byte> answer, IPEndPoint client)
    {
        try
        {
            if (_closed) return false;
            if (FindOrAdd(local) is UdpWorkerGroup workers)
            {
                workers.First.SendTo(answer, client);
            }
            else
            {
                using Socket once = Bind(local, 1, bufferBytes: 0)[0];
                once.SendTo(answer, client);
            }
            return true;
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.MessageSize)
        {
            return TrySendTruncated(local, answer, client);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    /// <summary>Sends nothing any more.</summary>
    public void Close() => _closed = true;

    /// <summary>Stops the workers; until the end, answers leave from temporary sockets.</summary>
    public Task StopAsync(TimeSpan grace)
    {
        UdpWorkerGroup[] groups;
        lock (_gate)
        {
            _stopped = true;
            groups = [.. _groups.Values];
        }
        return Task.WhenAll(Array.ConvertAll(groups, workers => workers.StopAsync(grace)));
    }

    /// <summary>The local address of a datagram, with its interface if it is link-local.</summary>
    public static IPAddress Of(in IPPacketInformation packet) => packet.Address.IsIPv6LinkLocal
        ? new IPAddress(packet.Address.GetAddressBytes(), packet.Interface)
        : packet.Address;

    /// <summary>Whether it is the address of a multicast group or a broadcast, which are never answered.</summary>
    public static bool IsGroup(IPAddress address) => address.AddressFamily == AddressFamily.InterNetworkV6
        ? address.IsIPv6Multicast
        : address.GetAddressBytes()[0] >= 224;

    /// <summary>The interface of a link-local address, else 0.</summary>
    public static uint ScopeOf(IPAddress address) => address.IsIPv6LinkLocal ? (uint)address.ScopeId : 0;

    private bool TrySendTruncated(IPAddress local, ReadOnlySpan<byte> answer, IPEndPoint client)
    {
        Span<byte> shorter = stackalloc byte[TruncatedReply.MaxOctets];
        int octets = TruncatedReply.Write(answer, shorter);
        return octets > 0 && octets < answer.Length && TrySend(local, shorter[..octets], client);
    }

    /// <summary>The workers of an address; null while stopping or above the bound.</summary>
    private UdpWorkerGroup? FindOrAdd(IPAddress local)
    {
        lock (_gate)
        {
            UdpWorkerGroup? known = null;
            if (_stopped || _groups.TryGetValue(local, out known) || _groups.Count >= MaxAddresses) return known;
            int count = ListenSocket.CanSharePort ? options.WorkerCount : 1;
            UdpWorkerGroup workers = new(Bind(local, count, options.SocketBufferBytes), responder, options);
            _groups.Add(local, workers);
            return workers;
        }
    }

    private Socket[] Bind(IPAddress local, int count, int bufferBytes) => options.OpenLater(
        () => ListenSocket.BindMoreUdp(new IPEndPoint(local, port), count, bufferBytes));
}
