using System.Buffers;
using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>
/// Serves a wildcard address of the portable listener. Its socket receives only the first datagrams to each local
/// address: it answers them from a socket bound to that address and opens workers there, which the kernel then prefers.
/// Addresses that appear later are thus served too, and only first datagrams allocate.
/// </summary>
internal sealed class AnyAddressUdpWorker : IReplyPaths
{
    // A machine may route whole networks to itself; addresses beyond the bound stay on the slow path.
    private const int MaxLearnedAddresses = 256;
    private const int PauseMs = 50;

    private readonly Socket _socket;
    private readonly IMessageResponder _responder;
    private readonly TransportOptions _options;
    private readonly int _port;
    private readonly FirstReplies _replies;
    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, UdpWorkerGroup> _learned = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly ClientAddress[] _client = new ClientAddress[1];
    private readonly int[] _length = new int[1];
    private Task _loop = Task.CompletedTask;
    private IPAddress _local = IPAddress.None;
    private uint _clientScope;
    private bool _taken;
    private volatile bool _stopped;
    private volatile bool _closed;
    private UdpWorkerCounts _counts;

    public AnyAddressUdpWorker(Socket socket, IMessageResponder responder, TransportOptions options)
    {
        _socket = socket;
        _responder = responder;
        _options = options;
        _port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        _replies = new FirstReplies(this);
    }

    public UdpCounters Counters
    {
        get
        {
            UdpCounters sum = SocketStatistics.Add(_replies.AddTo(_counts), [_socket]);
            lock (_gate)
            {
                foreach (UdpWorkerGroup workers in _learned.Values)
                {
                    sum += workers.Counters;
                }
            }

            return sum;
        }
    }

    public void Start() => _loop = Task.Run(ReceiveAsync);

    public async Task StopAsync(TimeSpan grace)
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        UdpWorkerGroup[] groups;
        lock (_gate)
        {
            _stopped = true;
            groups = [.. _learned.Values];
        }

        Task own = Bounded.WhenAll([AnswersSentAsync()], grace);
        await Task.WhenAll([own, .. Array.ConvertAll(groups, workers => workers.StopAsync(grace))])
            .ConfigureAwait(false);
        _closed = true;
        _stop.Dispose();
    }

    ReplyPath IReplyPaths.TakePath(int slot)
    {
        _taken = true;
        _replies.Expect();
        return new ReplyPath(_replies, _client[slot], _options.SlotOctets, DnsTransport.Udp)
        {
            ClientScope = _clientScope,
            Local = ClientAddress.From(new IPEndPoint(_local, 0)),
            LocalScope = ScopeOf(_local),
        };
    }

    private async Task AnswersSentAsync()
    {
        await _loop.ConfigureAwait(false);
        _replies.NoMore();
        await _replies.None.ConfigureAwait(false);
    }

    private async Task ReceiveAsync()
    {
        using IMemoryOwner<byte> slot = _options.SlotPool.Rent(_options.SlotOctets + 1);
        Memory<byte> room = slot.Memory[..(_options.SlotOctets + 1)];
        EndPoint anyEndPoint = new IPEndPoint(
            _socket.AddressFamily == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
        while (!_stop.IsCancellationRequested)
        {
            int octets = 0;
            try
            {
                SocketReceiveMessageFromResult received = await _socket
                    .ReceiveMessageFromAsync(room, SocketFlags.None, anyEndPoint, _stop.Token)
                    .ConfigureAwait(false);
                octets = received.ReceivedBytes;
                _counts.Received++;
                Answer(room.Span, received);
            }
            catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (SocketException)
            {
                _counts.ReceiveErrors++;
                await Task.Delay(PauseMs, CancellationToken.None).ConfigureAwait(false);
            }
            catch (Exception error)
            {
                _counts.Faults++;
                _options.Exceptions.Report(ServerLoop.UdpReceive, error, room.Span[..octets]);
                if (octets == 0)
                {
                    await Task.Delay(PauseMs, CancellationToken.None).ConfigureAwait(false);
                }
            }
        }
    }

    private void Answer(Span<byte> room, in SocketReceiveMessageFromResult received)
    {
        IPAddress local = _local = LocalAddressOf(received.PacketInformation);
        IPEndPoint client = (IPEndPoint)received.RemoteEndPoint;
        _client[0] = ClientAddress.From(client);
        _clientScope = ScopeOf(client.Address);
        _length[0] = received.ReceivedBytes;
        _taken = false;
        ClientAddress own = ClientAddress.From(new IPEndPoint(local, _port));
        if (IsGroup(local) || UdpAdmission.Refuses(_client[0], own))
        {
            _counts.Unanswered++;
            return;
        }

        DatagramBatch batch = new(
            room[.._options.SlotOctets], _options.SlotOctets, _length, _client, _options.Clock.GetTimestamp());
        _responder.RespondToDatagrams(in batch, this);
        if (_length[0] <= 0)
        {
            _counts.Unanswered += _taken ? 0 : 1;
        }
        else if (TrySendFrom(local, room[.._length[0]], client))
        {
            _counts.Sent++;
        }
        else
        {
            _counts.SendErrors++;
        }
    }

    private bool TrySendFrom(IPAddress local, ReadOnlySpan<byte> answer, IPEndPoint client)
    {
        try
        {
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

    private bool TrySendTruncated(IPAddress local, ReadOnlySpan<byte> answer, IPEndPoint client)
    {
        Span<byte> shorter = stackalloc byte[TruncatedReply.MaxOctets];
        int octets = TruncatedReply.Write(answer, shorter);
        return octets > 0 && octets < answer.Length && TrySendFrom(local, shorter[..octets], client);
    }

    /// <summary>The workers of an address; null while stopping or above the bound.</summary>
    private UdpWorkerGroup? FindOrAdd(IPAddress local)
    {
        lock (_gate)
        {
            UdpWorkerGroup? known = null;
            if (_stopped || _learned.TryGetValue(local, out known) || _learned.Count >= MaxLearnedAddresses)
            {
                return known;
            }

            int count = ListenSocket.CanSharePort ? _options.WorkerCount : 1;
            Socket[] sockets = Bind(local, count, _options.SocketBufferBytes);
            UdpWorkerGroup workers = new(sockets, _responder, _options);
            _learned.Add(local, workers);
            return workers;
        }
    }

    private Socket[] Bind(IPAddress local, int count, int bufferBytes) => _options.OpenLater(
        () => ListenSocket.BindMoreUdp(new IPEndPoint(local, _port), count, bufferBytes));

    private static IPAddress LocalAddressOf(in IPPacketInformation packet) => packet.Address.IsIPv6LinkLocal
        ? new IPAddress(packet.Address.GetAddressBytes(), packet.Interface)
        : packet.Address;

    private static bool IsGroup(IPAddress address) => address.AddressFamily == AddressFamily.InterNetworkV6
        ? address.IsIPv6Multicast
        : address.GetAddressBytes()[0] >= 224;

    private static uint ScopeOf(IPAddress address) => address.IsIPv6LinkLocal ? (uint)address.ScopeId : 0;

    private static IPAddress WithScope(ClientAddress address, uint scope) => address.IsIPv4
        ? new IPAddress(address.Address[12..])
        : new IPAddress(address.Address, scope);

    /// <summary>Deferred replies to first datagrams; these allocate.</summary>
    private sealed class FirstReplies(AnyAddressUdpWorker worker) : DatagramReplies
    {
        protected override bool TrySend(in ReplyPath path, ReadOnlySpan<byte> answer) =>
            !worker._closed && worker.TrySendFrom(
                WithScope(path.Local, path.LocalScope), answer,
                new IPEndPoint(WithScope(path.Peer, path.ClientScope), path.Peer.Port));
    }
}
