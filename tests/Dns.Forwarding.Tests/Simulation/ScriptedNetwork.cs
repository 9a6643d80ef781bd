using System.Net;
using Dns.Testing;

namespace Dns.Forwarding.Tests;

/// <summary>
/// A network that exists only in the test: upstreams answer as their scripts say, at the times of a
/// <see cref="VirtualClock"/>. Its datagram sockets are connected, like real ones: datagrams from elsewhere do not
/// arrive.
/// </summary>
internal sealed class ScriptedNetwork(VirtualClock clock) : IOutgoingNetwork
{
    private readonly Dictionary<IPEndPoint, ScriptedUpstream> _upstreams = [];
    private readonly Dictionary<int, ScriptedDatagrams> _ports = [];
    private int _nextPort = 1024;

    public VirtualClock Clock => clock;

    /// <summary>Datagram sockets that are open.</summary>
    public int OpenPorts => _ports.Count;

    /// <summary>The most datagram sockets that can be open.</summary>
    public int MaxPorts { get; set; } = int.MaxValue;

    /// <summary>Number of datagram sockets opened.</summary>
    public int PortsWanted { get; private set; }

    /// <summary>Streams opened so far.</summary>
    public int OpenedStreams { get; private set; }

    /// <summary>Called when a stream starts to connect.</summary>
    public Action? OnConnecting { get; set; }

    /// <summary>Datagrams that no open socket was connected to.</summary>
    public int Undeliverable { get; private set; }

    /// <summary>Called for everything sent, in order.</summary>
    public Action<ScriptedQuery>? OnQuery { get; set; }

    public ScriptedUpstream Add(string address)
    {
        ScriptedUpstream upstream = new(this, IPEndPoint.Parse(address));
        _upstreams.Add(upstream.Address, upstream);
        return upstream;
    }

    /// <summary>What is thrown instead of opening a socket.</summary>
    public Exception? Fault { get; set; }

    /// <summary>Local ports of the datagram sockets that are open.</summary>
    public IReadOnlyCollection<int> Ports => [.. _ports.Keys];

    public IDatagramPath? OpenDatagrams(
        PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault)
    {
        IPEndPoint upstream = server.EndPoint;
        if (Fault is not null) throw Fault;
        PortsWanted++;
        fault = _ports.Count < MaxPorts
            ? _upstreams.GetValueOrDefault(upstream)?.OpeningFault : new(IsUnreachable: false, "Too many open files");
        if (fault is not null) return null;
        if (localPort == 0) while (_ports.ContainsKey(_nextPort)) _nextPort++;
        int port = localPort == 0 ? _nextPort : localPort;
        ScriptedDatagrams path = new(this, upstream, port, receiver);
        if (_ports.TryAdd(port, path)) return path;
        fault = new(IsUnreachable: false, "Address already in use");
        return null;
    }

    public IByteStream MakeStream(PeerAddress server)
    {
        OpenedStreams++;
        return new ScriptedStream(this, _upstreams.GetValueOrDefault(server.EndPoint));
    }

    /// <summary>A datagram is on its way to a port of ours.</summary>
    public void Deliver(IPEndPoint source, int port, byte[] octets, TimeSpan delay) =>
        clock.Plan(delay, () =>
        {
            if (_ports.TryGetValue(port, out ScriptedDatagrams? path) && path.Upstream.Equals(source))
                path.Receiver.Receive(octets);
            else Undeliverable++;
        });

    private void Send(ScriptedDatagrams path, byte[] octets)
    {
        if (_upstreams.TryGetValue(path.Upstream, out ScriptedUpstream? upstream))
            upstream.Take(octets, path.Local.Port, null);
    }

    private sealed class ScriptedDatagrams(ScriptedNetwork network, IPEndPoint upstream, int port,
        IPathReceiver receiver)
        : IDatagramPath
    {
        public IPEndPoint Upstream => upstream;

        public IPathReceiver Receiver => receiver;

        public IPEndPoint Local { get; } = new(IPAddress.Parse("192.0.2.200"), port);

        public bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault)
        {
            bool isUnreachable = network._upstreams.TryGetValue(upstream, out ScriptedUpstream? to) && to.IsUnreachable
                && to.UnreachablePorts?.Contains(port) != false;
            fault = isUnreachable ? new(true, "No route to host") : null;
            if (isUnreachable) return false;
            network.Send(this, message.ToArray());
            return true;
        }

        public void Dispose()
        {
            if (network._ports.GetValueOrDefault(port) == this) network._ports.Remove(port);
        }
    }
}
