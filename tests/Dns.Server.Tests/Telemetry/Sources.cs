using System.Buffers;
using System.Net;
using System.Text;
using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Testing;
using Dns.Transport;
using Dns.Transport.Outgoing;
using Dns.Zones;

namespace Dns.Server.Tests.Telemetry;

/// <summary>What telemetry reads from, without a network: counters that stand at zero, zones as a test says.</summary>
internal sealed class Sources
{
    public VirtualClock Clock { get; } = new();

    public List<ZoneView> Zones { get; } = [];

    public AnswerCounters Answers { get; } = new();

    public AnswerWatch Watch { get; }

    public ServerSources All { get; }

    public Sources()
    {
        Watch = new AnswerWatch(Clock);
        ListenerSet listeners = ListenerSet.Bind(new TransportOptions(), out _);
        Forwarder forwarder = new(
            new ForwarderOptions { Zones = [new ForwardZone(DomainName.Root, [IPEndPoint.Parse("192.0.2.53:53")], default, false)] },
            Clock, new SocketNetwork());
        All = new ServerSources(Answers, listeners, new ZoneCensus(() => Zones, Clock), forwarder, Watch) { Exceptions = new() };
    }

    public void AddZone(string name, ZoneState state, string? failure = null) => Zones.Add(new ZoneView(
        name, state, state is ZoneState.Serving or ZoneState.Stale ? ZoneText.Load(name, "@ SOA ns hostmaster 7 1 1 1 1\n@ NS ns\nns A 192.0.2.1\n") : null,
        failure, state is ZoneState.Serving or ZoneState.Stale ? Clock.GetUtcNow() : null));

    /// <summary>What a writer of octets has written.</summary>
    public static string TextOf(Action<IBufferWriter<byte>> write)
    {
        ArrayBufferWriter<byte> output = new();
        write(output);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    /// <summary>An answer's beginning: header and question, as far as samples look at it.</summary>
    public static byte[] Message(params byte[] name) => [0, 1, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, .. name, 0, 1, 0, 1];
}
