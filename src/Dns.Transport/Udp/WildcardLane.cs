using System.Buffers;
using System.Net;
using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// Serves a wildcard address of the portable listener. The socket on the wildcard sees only the first
/// datagrams to each local address: it answers them from a socket bound to that address and opens lanes
/// there, which the kernel prefers from then on. So addresses that appear later are served too, and only
/// first datagrams allocate.
/// </summary>
internal sealed class WildcardLane(Socket socket, IMessageResponder responder, TransportOptions options)
{
    // A machine may route whole networks to itself; addresses beyond the bound keep to the slow path.
    private const int MaxLearnedAddresses = 256;
    private const int PauseMs = 50;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, LaneGroup> _learned = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly int _port = ((IPEndPoint)socket.LocalEndPoint!).Port;
    private readonly ClientAddress[] _client = new ClientAddress[1];
    private readonly int[] _length = new int[1];
    private Task _loop = Task.CompletedTask;
    private LaneCounts _counts;

    public UdpCounters Counters
    {
        get
        {
            UdpCounters sum = SocketStatistics.Add(_counts.ToCounters(), [socket]);
            lock (_gate)
            {
                foreach (LaneGroup lanes in _learned.Values)
                {
                    sum += lanes.Counters;
                }
            }

            return sum;
        }
    }

    public void Start() => _loop = Task.Run(ReceiveAsync);

    public async Task StopAsync(TimeSpan grace)
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Bounded.WhenAll([_loop], grace).ConfigureAwait(false);
        LaneGroup[] groups;
        lock (_gate)
        {
            groups = [.. _learned.Values];
        }

        await Task.WhenAll(Array.ConvertAll(groups, lanes => lanes.StopAsync(grace))).ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task ReceiveAsync()
    {
        using IMemoryOwner<byte> slot = options.SlotPool.Rent(options.SlotOctets + 1);
        Memory<byte> room = slot.Memory[..(options.SlotOctets + 1)];
        EndPoint anybody = new IPEndPoint(
            socket.AddressFamily == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                SocketReceiveMessageFromResult received = await socket
                    .ReceiveMessageFromAsync(room, SocketFlags.None, anybody, _stop.Token)
                    .ConfigureAwait(false);
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
            catch (Exception)
            {
                _counts.Faults++;
            }
        }
    }

    private void Answer(Span<byte> room, in SocketReceiveMessageFromResult received)
    {
        IPAddress asked = AddressAsked(received.PacketInformation);
        IPEndPoint client = (IPEndPoint)received.RemoteEndPoint;
        _client[0] = ClientAddress.From(client);
        _length[0] = received.ReceivedBytes;
        ClientAddress own = ClientAddress.From(new IPEndPoint(asked, _port));
        if (IsGroup(asked) || UdpAdmission.Refuses(_client[0], own))
        {
            _counts.Unanswered++;
            return;
        }

        responder.RespondToDatagrams(room[..options.SlotOctets], options.SlotOctets, _length, _client);
        if (_length[0] <= 0)
        {
            _counts.Unanswered++;
            return;
        }

        SendFrom(asked, room[.._length[0]], client);
    }

    private void SendFrom(IPAddress asked, ReadOnlySpan<byte> answer, IPEndPoint client)
    {
        try
        {
            if (FindOrLearn(asked) is LaneGroup lanes)
            {
                lanes.First.SendTo(answer, client);
            }
            else
            {
                IPEndPoint source = new(asked, _port);
                using Socket once = ListenSocket.BindMoreUdp(source, 1, bufferBytes: 0)[0];
                once.SendTo(answer, client);
            }

            _counts.Sent++;
        }
        catch (SocketException)
        {
            _counts.SendErrors++;
        }
    }

    private LaneGroup? FindOrLearn(IPAddress asked)
    {
        lock (_gate)
        {
            if (_learned.TryGetValue(asked, out LaneGroup? known) || _learned.Count >= MaxLearnedAddresses)
            {
                return known;
            }

            int count = ListenSocket.CanSharePort ? options.WorkerCount : 1;
            Socket[] sockets = ListenSocket.BindMoreUdp(
                new IPEndPoint(asked, _port), count, options.SocketBufferBytes);
            LaneGroup lanes = new(sockets, responder, options);
            _learned.Add(asked, lanes);
            return lanes;
        }
    }

    private static IPAddress AddressAsked(in IPPacketInformation packet) => packet.Address.IsIPv6LinkLocal
        ? new IPAddress(packet.Address.GetAddressBytes(), packet.Interface)
        : packet.Address;

    private static bool IsGroup(IPAddress address) => address.AddressFamily == AddressFamily.InterNetworkV6
        ? address.IsIPv6Multicast
        : address.GetAddressBytes()[0] >= 224;
}
