using System.Net;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// A question that is not cached, through the forwarder: sent over a socket in memory, joined by other clients, the
/// reply checked, cached, and sent to all.
/// </summary>
/// <remarks>In no phase: a port is opened for each 64 exchanges, so the bytes of a call differ.</remarks>
public class Exchanges
{
    private const int Waiters = 64;

    private readonly MemoryUpstream _upstream = new();
    private readonly Waiter _waiter = new();
    private readonly byte[] _name = [3, .. "www"u8, 7, .. "example"u8, 0];
    private Forwarder _forwarder = null!;
    // Each is another client: only a few queries of one client wait for the same answer.
    private readonly ClientAddress[] _clients = new ClientAddress[Waiters];
    private LookupName _lookup;

    /// <summary>A forwarder with one upstream; a socket at a time, so that every run opens as many.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        ForwardZone zone = new(DomainName.Root, [new IPEndPoint(IPAddress.Loopback, 53)]);
        _forwarder =
            new(new ForwarderOptions { Zones = [zone], SocketsPerUpstream = 1 }, new StandingClock(), _upstream);
        _lookup.TryRead(_name, 0, _name.Length);
        for (int i = 0; i < Waiters; i++)
        {
            _clients[i].SetIPv4([127, 0, 0, (byte)(i + 1)]);
            _clients[i].Port = 5300;
        }
        if (JoinAndComplete() != Waiters) throw new InvalidDataException("not all who wait are told");
    }

    /// <summary>Releases the cache.</summary>
    [GlobalCleanup]
    public void CleanUp() => _forwarder.DisposeAsync().AsTask().Wait();

    /// <summary>One client.</summary>
    [Benchmark]
    public int AskAndComplete() => Exchange(1);

    /// <summary>Many clients with the same question.</summary>
    [Benchmark(OperationsPerInvoke = Waiters)]
    public int JoinAndComplete() => Exchange(Waiters);

    private int Exchange(int waiters)
    {
        _waiter.Answers = 0;
        Protocol.Messages.Question question = new(in _lookup, RRType.A, RRClass.IN, QuestionFlags.None);
        for (int i = 0; i < waiters; i++)
            if (_forwarder.Forward(in question, ref _clients[i], _waiter) != ForwardResult.Joined) return -1;
        _upstream.Reply();
        return _waiter.Answers;
    }

    private sealed class Waiter : IAnswerWaiter
    {
        public bool IsProven => true;

        public bool Matches(ushort id, ReadOnlySpan<byte> question) => false;

        internal int Answers;

        public void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries) =>
            Answers += answer.AnswerCount;
    }
}
