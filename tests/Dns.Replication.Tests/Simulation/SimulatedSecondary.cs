using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>A server of a simulation that copies a zone: its process may end at any time, its disk stays.</summary>
internal sealed class SimulatedSecondary(SimulatedNetwork network, IPEndPoint address,
    IReadOnlyList<IPEndPoint> primaries, DomainName zone, int seed)
    : IDisposable
{
    private readonly FaultyFiles _disk = new();
    private SecondarySource? _source;
    private int _starts;

    public IPEndPoint Address => address;

    public IReadOnlyList<IPEndPoint> Primaries => primaries;

    public SkewedClock Clock { get; } = new(network.Clock);

    public SimulatedServer? Server { get; private set; }

    /// <summary>What the server serves; null = nothing, or it is down.</summary>
    public Zone? Serves => Server?.Published.Current.FindExact(zone)?.Zone;

    /// <summary>
    /// How far its wall clock was set back since it was last up to date; its version may be older by that.
    /// </summary>
    public TimeSpan SetBack { get; set; }

    public void Start()
    {
        Server = new SimulatedServer(network.Clock, time: Clock);
        _source = new SecondarySource(
            "the simulation", new SecondaryOptions(), new ZoneCopyFolder("/zones", _disk), network.Of(address.Address),
            new RecordingObserver(), Clock, new Random(seed + _starts++), work => work());
        _source.Restored += Server.History.Seed;
        _source.UseAsync(
            [new SecondaryZoneOptions(zone, [.. primaries.Select(primary => new PeerAddress(primary))])], default);
        _source.StartAsync(Server.Registry, null!, default);
        network.Serve(address, Server.Answer);
    }

    /// <summary>The process is gone, as by <c>kill -9</c>: nothing is written any more.</summary>
    public void Kill()
    {
        network.Serve(address, null);
        _source?.Kill();
        _source?.Dispose();
        (_source, Server) = (null, null);
    }

    public void Dispose() => Kill();
}
