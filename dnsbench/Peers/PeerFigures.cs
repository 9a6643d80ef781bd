namespace Dns.Bench;

/// <summary>The results of one server's triples under one load.</summary>
internal sealed class PeerFigures(string mix, int clients, string server)
{
    internal string Mix => mix;

    internal int Clients => clients;

    internal string Server => server;

    /// <summary>Processor time of an answered query as a multiple of the baseline's.</summary>
    internal Spread Ratio { get; } = new();

    internal Spread Nanoseconds { get; } = new();

    internal Spread PerSecond { get; } = new();

    internal LatencyHistogram Latency { get; } = new();

    internal long Lost { get; private set; }

    internal long Wrong { get; private set; }

    /// <summary>Triples that did not count.</summary>
    internal int Discarded { get; set; }

    internal double Instructions { get; set; } = double.NaN;

    internal void Add(Leg before, Leg leg, Leg after)
    {
        Ratio.Add(leg.PerAnswer / ((before.PerAnswer + after.PerAnswer) / 2));
        Nanoseconds.Add(leg.PerAnswer);
        PerSecond.Add(leg.Load.PerSecond);
        Latency.Add(leg.Load.Latency);
        Lost += leg.Load.Lost;
        Wrong += leg.Load.Wrong;
    }
}
