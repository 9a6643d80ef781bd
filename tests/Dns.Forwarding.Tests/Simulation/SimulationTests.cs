using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>
/// Thousands of queries on a bad day, over and over the same for the same seed; a failure names its seed.
/// </summary>
public class SimulationTests
{
    private const int Queries = 10_000;

    [Theory]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(3, true)]
    public void Every_query_is_answered_once_in_time_truly_or_not_at_all(int seed, bool mayAllDie)
    {
        Day day = new(seed, mayAllDie);
        day.Run();
        foreach ((string name, ScriptedWaiter waiter) in day.Waiters)
        {
            Assert.True(waiter.Times == 1, $"seed {seed}: {name} was answered {waiter.Times} times");
            Assert.InRange(waiter.WaitedMs, 0, 5000);
            bool isTrue = waiter.Answer.Rcode is Rcode.ServFail or Rcode.NXDomain ||
                waiter.Result == ScriptedQuery.TrueAddress(name);
            Assert.True(isTrue, $"seed {seed}: {name} got {waiter.Result}");
        }
        Assert.InRange(day.Attack.Forgeries, 1000, int.MaxValue);
        // While an upstream is up, nearly all are answered.
        double failed = day.Waiters.Count(x => x.Waiter.Answer.Rcode == Rcode.ServFail) / (double)day.Waiters.Count;
        Assert.InRange(failed, 0, mayAllDie ? 0.5 : 0.05);
        Assert.All(day.SendsByQuestion.Values, sends => Assert.InRange(sends, 1, UpstreamQuery.MaxSends));
        day.Rig.AssertNothingIsLeft();
    }

    [Fact]
    public void The_same_seed_gives_the_same_day_and_another_one_another()
    {
        ulong Run(int seed)
        {
            Day day = new(seed, mayAllDie: true);
            day.Run();
            return day.Log;
        }
        ulong log = Run(7);
        Assert.Equal(log, Run(7));
        Assert.NotEqual(log, Run(8));
    }

    private sealed class Day
    {
        private readonly Random _random;
        private readonly EventLog _log = new();

        public Day(int seed, bool mayAllDie)
        {
            _random = new(seed);
            Rig = new(new() { MaxInFlightPerClient = 100_000 }, upstreams: 3, policy: (UpstreamPolicy)(seed % 3), seed);
            Attack = new(Rig, _random, mayAllDie);
            Rig.Network.OnQuery = query =>
            {
                _log.Add(query.At.Ticks, query.Octets);
                // The first label numbers the upstream query: a question with a unique name.
                if (!query.IsProbe && query.Text[0] == 'u')
                    SendsByQuestion[query.Text] = SendsByQuestion.GetValueOrDefault(query.Text) + 1;
            };
        }

        public ForwarderRig Rig { get; }

        public HostileUpstreams Attack { get; }

        public List<(string Name, ScriptedWaiter Waiter)> Waiters { get; } = [];

        public Dictionary<string, int> SendsByQuestion { get; } = [];

        public ulong Log => _log.Value;

        public void Run()
        {
            Attack.Begin();
            for (int i = 0; i < Queries; i++)
            {
                Ask(_random.Next(3) == 0 ? $"u{i}.example." : $"p{_random.Next(200)}.example.");
                Rig.Clock.Advance(_random.NextDouble() * 20);
            }
            Rig.Clock.Advance(TimeSpan.FromSeconds(6));
        }

        private void Ask(string name)
        {
            if (Rig.Known(name, out _) != CacheState.Miss) return;
            ScriptedWaiter waiter = new(Rig.Clock) { Told = () => _log.Add(Rig.Clock.Elapsed.Ticks, []) };
            ForwardResult result = Rig.TryAsk(name, waiter);
            if (result == ForwardResult.Unreachable &&
                Rig.Forwarder.Upstreams.All(status => status.State != UpstreamState.Up)) return;
            Assert.Equal(ForwardResult.Joined, result);
            Waiters.Add((name, waiter));
        }
    }

    private sealed class EventLog
    {
        public ulong Value { get; private set; } = 14695981039346656037;

        public void Add(long ticks, byte[] octets)
        {
            foreach (byte octet in (byte[])[.. BitConverter.GetBytes(ticks), .. octets])
                Value = (Value ^ octet) * 1099511628211;
        }
    }
}
