using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>A forwarder on a scripted network, with a clock that the test turns.</summary>
internal sealed class ForwarderRig
{
    public ForwarderRig(ForwarderOptions? options = null, int upstreams = 1,
        UpstreamPolicy policy = UpstreamPolicy.Ordered, int seed = 1, PeerScheme? scheme = null)
    {
        Network = new(Clock);
        Upstreams = [.. Enumerable.Range(1, upstreams).Select(i => Network.Add($"192.0.2.{i}:53"))];
        options = (options ?? new()) with
        {
            Zones = [new(DomainName.Root, [.. Upstreams.Select(upstream =>
                new PeerAddress(upstream.Address) { Scheme = scheme ?? PeerScheme.Plain })], policy)],
            AllowFrom = [IPNetwork.Parse("198.51.100.0/24")],
        };
        Options = options;
        IOutgoingNetwork network = scheme is null
            ? Network : new SchemeNetwork((PeerScheme.Plain, new ScriptedNetwork(Clock)), (scheme, Network));
        Forwarder = new(options, Clock, network, new SeededOctets(seed), Reported);
    }

    public VirtualClock Clock { get; } = new();

    public ForwarderOptions Options { get; }

    /// <summary>Exceptions that nothing should have thrown.</summary>
    public ReportedExceptions Reported { get; } = new();

    public ScriptedNetwork Network { get; }

    public ScriptedUpstream[] Upstreams { get; }

    /// <summary>The first upstream.</summary>
    public ScriptedUpstream Upstream => Upstreams[0];

    public Forwarder Forwarder { get; }

    /// <summary>The first query that the first upstream got.</summary>
    public ScriptedQuery First => Upstream.Queries[0];

    /// <summary>Asks from a client that expects to be let in.</summary>
    public ScriptedWaiter Ask(string question, QuestionFlags flags = 0, string client = "198.51.100.1:1000")
    {
        ScriptedWaiter waiter = new(Clock);
        Assert.Equal(ForwardResult.Joined, TryAsk(question, waiter, flags, client));
        return waiter;
    }

    /// <summary>Asks <c>NAME [TYPE [CLASS]]</c>.</summary>
    public ForwardResult TryAsk(string question, IAnswerWaiter waiter, QuestionFlags flags = 0,
        string client = "198.51.100.1:1000", int spent = 0, TimeSpan waited = default)
    {
        LookupName name = default;
        (RRType type, RRClass rrClass) = Read(question, ref name);
        ClientAddress from = ClientAddress.From(IPEndPoint.Parse(client));
        return Forwarder.Forward(new Question(in name, type, rrClass, flags), ref from, waiter, spent, waited);
    }

    /// <summary>What is remembered of a question.</summary>
    public CacheState Known(string question, out RelayedAnswer answer) => Known(question, new byte[1232], out answer);

    /// <summary>What is remembered of a question, with its records.</summary>
    public CacheState Known(string question, byte[] records, out RelayedAnswer answer, int spent = 0) =>
        Known(question, records, ref spent, out answer);

    /// <summary>The same for a query of a client for which so many queries were sent.</summary>
    public CacheState Known(string question, byte[] records, ref int spent, out RelayedAnswer answer)
    {
        LookupName name = default;
        (RRType type, RRClass rrClass) = Read(question, ref name);
        return Forwarder.TryAnswer(new Question(in name, type, rrClass, 0), Forwarder.Timestamp, ref spent, records,
            out answer);
    }

    /// <summary>Asks, and turns the clock until there is an answer.</summary>
    public ScriptedWaiter Resolve(string question)
    {
        ScriptedWaiter waiter = Ask(question);
        while (waiter.Times == 0) Clock.Advance(1);
        return waiter;
    }

    /// <summary>Advances the clock until everything has ended, and checks for leaks.</summary>
    public void AssertNothingIsLeft()
    {
        Clock.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(0, Forwarder.InFlight);
        Assert.Equal(0, Forwarder.Waiting);
        Assert.Equal(0, Forwarder.Outstanding);
    }

    private static (RRType Type, RRClass Class) Read(string question, ref LookupName name)
    {
        byte[] octets = QueryMessage.For(question).Question;
        name.Set(octets[..^4]);
        return ((RRType)(octets[^4] << 8 | octets[^3]), (RRClass)(octets[^2] << 8 | octets[^1]));
    }
}
