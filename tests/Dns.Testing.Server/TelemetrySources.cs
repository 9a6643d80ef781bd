using System.Buffers;
using System.Net;
using System.Text;

namespace Dns.Testing.Server;

/// <summary>What telemetry reads from, without a network: counters that stand at zero, zones as a test says.</summary>
internal sealed class TelemetrySources
{
    public VirtualClock Clock { get; } = new();

    public InMemoryZoneSource Zones { get; } = new();

    public ZoneRegistry Registry { get; } = new(new PublishedZones());

    public AnswerCounters Answers { get; } = new();

    public AnswerTimes AnswerTimes { get; }

    public ZoneStatusReader Status { get; }

    public ServerSources All { get; }

    public TelemetrySources()
    {
        AnswerTimes = new AnswerTimes(Clock);
        Zones.StartAsync(Registry, new SilentObserver(), default);
        ListenerSet listeners = ListenerSet.Bind(new TransportOptions(), out _);
        Forwarder forwarder = new(
            new ForwarderOptions
                { Zones = [new ForwardZone(DomainName.Root, [IPEndPoint.Parse("192.0.2.53:53")], default, false)] },
            Clock, new SocketNetwork());
        Status = new ZoneStatusReader(Registry, Clock);
        All = new ServerSources(Answers, listeners, Status, forwarder, AnswerTimes)
        {
            Exceptions = new(),
        };
    }

    public void AddZone(string name, ZoneState state, string? failure = null)
    {
        if (state is ZoneState.Serving or ZoneState.Stale)
            Zones.Publish(ZoneText.Load(name, "@ SOA ns hostmaster 7 1 1 1 1\n@ NS ns\nns A 192.0.2.1\n"),
                Clock.GetUtcNow());
        else if (state == ZoneState.Loading) Zones.Claim(DomainName.Parse(name));
        else if (state == ZoneState.Expired) Zones.Expire(DomainName.Parse(name), failure!);
        if (state is ZoneState.Stale or ZoneState.Failed) Zones.Fail(DomainName.Parse(name), failure!);
    }

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
