using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>
/// Servers that answer: given a message, they send messages back, one after the other as they are pulled.
/// </summary>
internal delegate IEnumerator<byte[]>? SimulatedService(byte[] message, IPEndPoint client, bool isReliable);

/// <summary>
/// A network of one thread and one virtual clock that delays and drops messages; deterministic by seed.
/// </summary>
internal sealed class SimulatedNetwork(VirtualClock clock, int seed = 1)
{
    private readonly Dictionary<IPEndPoint, SimulatedService> _services = [];
    private readonly Random _random = new(seed);

    /// <summary>The part of datagrams that are lost, and of octets of streams that come late.</summary>
    public double Loss { get; set; }

    /// <summary>The longest time that octets take.</summary>
    public TimeSpan MostDelay { get; set; } = TimeSpan.FromMilliseconds(1);

    /// <summary>Whether nothing gets from one server to another.</summary>
    public Func<IPAddress, IPAddress, bool> IsCut { get; set; } = static (_, _) => false;

    /// <summary>Told of each message that arrives: who sent it, and who has it.</summary>
    public Action<IPAddress, IPAddress>? Delivered { get; init; }

    /// <summary>Datagrams sent so far.</summary>
    public int DatagramsSent { get; private set; }

    /// <summary>Streams opened so far.</summary>
    public int StreamsOpened { get; private set; }

    public VirtualClock Clock => clock;

    /// <summary>Puts a server at an address, in the place of the one that was there; null takes it away.</summary>
    public void Serve(IPEndPoint address, SimulatedService? service)
    {
        if (service is null) _services.Remove(address);
        else _services[address] = service;
    }

    /// <summary>The network as a server at an address sees it.</summary>
    public IOutgoingNetwork Of(IPAddress local) => new Side(this, local);

    private SimulatedService? Find(IPEndPoint server) => _services.GetValueOrDefault(server);

    private TimeSpan Delay => MostDelay * _random.NextDouble();

    private bool IsLost(IPAddress from, IPAddress to) => IsCut(from, to) || _random.NextDouble() < Loss;

    private sealed class Side(SimulatedNetwork network, IPAddress local) : IOutgoingNetwork
    {
        public IDatagramPath OpenDatagrams(
            PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault)
        {
            fault = null;
            return new Datagrams(network, new IPEndPoint(local, 40000), server.EndPoint, receiver);
        }

        public IByteStream MakeStream(PeerAddress server) => new Stream(network, local, server.EndPoint);
    }

    private sealed class Datagrams(SimulatedNetwork network, IPEndPoint local, IPEndPoint server,
        IPathReceiver receiver) : IDatagramPath
    {
        private bool _isClosed;

        public IPEndPoint Local => local;

        public bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault)
        {
            fault = null;
            byte[] octets = message.ToArray();
            network.DatagramsSent++;
            if (!network.IsLost(local.Address, server.Address)) network.Clock.Plan(network.Delay, () => Arrive(octets));
            return true;
        }

        public void Dispose() => _isClosed = true;

        private void Arrive(byte[] octets)
        {
            if (network.Find(server)?.Invoke(octets, local, false) is not { } replies || !replies.MoveNext()) return;
            byte[] reply = replies.Current;
            if (network.IsLost(server.Address, local.Address)) return;
            network.Clock.Plan(network.Delay, () =>
            {
                if (_isClosed) return;
                network.Delivered?.Invoke(server.Address, local.Address);
                receiver.Receive(reply);
            });
        }
    }

    private sealed class Stream(SimulatedNetwork network, IPAddress local, IPEndPoint server) : IByteStream
    {
        private readonly Queue<IEnumerator<byte[]>> _replies = [];
        private readonly List<byte> _sent = [];
        private TaskCompletionSource<bool>? _connect;
        private TaskCompletionSource<int>? _receive;
        private Memory<byte> _room;
        private ReadOnlyMemory<byte> _arrived;
        private bool _isPlanned, _hasEnded, _isClosed;

        public ValueTask<bool> OpenAsync()
        {
            network.StreamsOpened++;
            _connect = new TaskCompletionSource<bool>();
            network.Clock.Plan(network.Delay, () =>
            {
                // Without a route there is silence, without a server a refusal.
                if (!network.IsCut(local, server.Address)) _connect.TrySetResult(network.Find(server) is not null);
            });
            return new(_connect.Task);
        }

        public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets)
        {
            if (_isClosed) return new(IByteStream.Failed);
            _sent.AddRange(octets.ToArray());
            network.Clock.Plan(network.Delay, Deliver);
            return new(octets.Length);
        }

        public ValueTask<int> ReceiveAsync(Memory<byte> room)
        {
            if (_isClosed) return new(IByteStream.Failed);
            _room = room;
            _receive = new TaskCompletionSource<int>();
            Task<int> task = _receive.Task;
            PlanMore();
            return new(task);
        }

        public void Close()
        {
            _isClosed = true;
            foreach (IEnumerator<byte[]> replies in _replies) replies.Dispose();
            _replies.Clear();
            _connect?.TrySetResult(false);
            _receive?.TrySetResult(IByteStream.Failed);
        }

        private void Deliver()
        {
            if (_isClosed || network.IsCut(local, server.Address)) return;
            while (_sent.Count >= 2 && _sent.Count >= 2 + (_sent[0] << 8 | _sent[1]))
            {
                int octets = _sent[0] << 8 | _sent[1];
                byte[] message = [.. _sent.Skip(2).Take(octets)];
                _sent.RemoveRange(0, 2 + octets);
                if (network.Find(server)?.Invoke(message, new IPEndPoint(local, 40001), true) is { } replies)
                    _replies.Enqueue(replies);
                else _hasEnded = true;
            }
            PlanMore();
        }

        private void PlanMore()
        {
            if (_isPlanned || _isClosed || _receive is not { Task.IsCompleted: false }) return;
            if (_arrived.IsEmpty && !_hasEnded && _replies.Count == 0) return;
            _isPlanned = true;
            network.Clock.Plan(_arrived.IsEmpty ? network.Delay : TimeSpan.Zero, Arrive);
        }

        private void Arrive()
        {
            _isPlanned = false;
            if (_isClosed || network.IsCut(server.Address, local)) return;
            if (_arrived.IsEmpty && !TryPull())
            {
                if (_hasEnded) _receive!.TrySetResult(0);
                return;
            }
            int octets = Math.Min(_arrived.Length, _room.Length);
            network.Delivered?.Invoke(server.Address, local);
            _arrived[..octets].CopyTo(_room);
            _arrived = _arrived[octets..];
            _receive!.TrySetResult(octets);
        }

        private bool TryPull()
        {
            // A server that has gone takes its connections along.
            if (network.Find(server) is null)
            {
                _hasEnded = true;
                return false;
            }
            while (_replies.TryPeek(out IEnumerator<byte[]>? replies))
            {
                if (replies.MoveNext())
                {
                    // An empty message stands for the end of the stream.
                    if (replies.Current.Length == 0) break;
                    _arrived =
                        (byte[])[(byte)(replies.Current.Length >> 8), (byte)replies.Current.Length, .. replies.Current];
                    return true;
                }
                _replies.Dequeue().Dispose();
                if (_replies.Count == 0) return false;
            }
            _hasEnded = true;
            return false;
        }
    }
}
