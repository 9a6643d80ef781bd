using System.Net;

namespace Dns.Forwarding.Tests;

/// <summary>An upstream that handles each query by its script.</summary>
internal sealed class ScriptedUpstream(ScriptedNetwork network, IPEndPoint address)
{
    public ScriptedNetwork Network => network;

    public IPEndPoint Address => address;

    /// <summary>What it does with a query; answers truly after 10 ms unless set.</summary>
    public Action<ScriptedQuery> Script { get; set; } = query => query.Answer();

    /// <summary>Everything it got, probes included.</summary>
    public List<ScriptedQuery> Queries { get; } = [];

    /// <summary>Whether nothing gets there, nor back.</summary>
    public bool IsDead { get; set; }

    /// <summary>Whether the system refuses to send there.</summary>
    public bool IsUnreachable { get; set; }

    /// <summary>Why the system opens no socket to it, if it does not.</summary>
    public NetworkFault? OpeningFault { get; set; }

    /// <summary>The sockets that <see cref="IsUnreachable"/> is for; all unless set.</summary>
    public IReadOnlyCollection<int>? UnreachablePorts { get; set; }

    /// <summary>Whether it takes no streams.</summary>
    public bool RefusesStreams { get; set; }

    /// <summary>Whether it stops reading from streams, so that sending blocks.</summary>
    public bool ReadsNoStreams { get; set; }

    /// <summary>The sizes of its segments over streams.</summary>
    public int StreamPieceOctets { get; set; } = int.MaxValue;

    /// <summary>Queries that are not probes.</summary>
    public int Asked => Queries.Count(query => !query.IsProbe);

    public void Take(byte[] octets, int port, ScriptedStream? stream)
    {
        ScriptedQuery query = new(this, octets, port, stream, network.Clock.Elapsed);
        Queries.Add(query);
        network.OnQuery?.Invoke(query);
        if (!IsDead) Script(query);
    }
}
