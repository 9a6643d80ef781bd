using System.Globalization;
using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>
/// Two to five servers over the real types, through many virtual days of updates, loss, delay, partitions, disks that
/// fail, ends of processes and clocks that are set: all agree in the end, none serves what has expired, and no change
/// that was acknowledged is lost. <c>DNS_SIMULATION_SEEDS</c> runs more of them.
/// </summary>
public sealed class ReplicationSimulationTests
{
    private const int Days = 20;
    private const int ExpireSeconds = 40_000;
    private static readonly DomainName Name = DomainName.Parse("z.test");
    private static readonly TimeSpan Step = TimeSpan.FromMinutes(10);

    // A round that has begun, and the timers of it.
    private static readonly TimeSpan Slack = TimeSpan.FromMinutes(2);

    [Fact]
    public void All_agree_in_the_end_no_acknowledged_change_is_lost_and_none_serves_what_has_expired()
    {
        int seeds =
            int.Parse(Environment.GetEnvironmentVariable("DNS_SIMULATION_SEEDS") ?? "4", CultureInfo.InvariantCulture);
        int done = 0, failed = 0, killed = 0;
        for (int seed = 1; seed <= seeds; seed++)
        {
            Run run = new(seed);
            run.Go();
            (done, failed, killed) = (done + run.Primary.Updates.Done, failed + run.Primary.Updates.Failed,
                killed + run.Primary.KilledWriting);
        }
        Assert.True(done > 100 * seeds && failed > seeds && killed > seeds,
            $"{done} updates done, {failed} failed, {killed} kills while writing");
    }

    [Fact]
    public void A_run_goes_the_same_way_again()
    {
        Assert.Equal(new Run(5).Go(), new Run(5).Go());
    }

    private sealed class Run
    {
        private readonly VirtualClock _clock = new();
        private readonly Random _random;
        private readonly SimulatedNetwork _network;
        private readonly IPEndPoint _first = At(1);
        private readonly List<SimulatedSecondary> _secondaries = [];
        private readonly HashSet<(IPAddress, IPAddress)> _cuts = [];
        private readonly Dictionary<IPAddress, TimeSpan> _heardAt = [];
        private readonly int _seed;

        public Run(int seed)
        {
            _seed = seed;
            _random = new Random(seed);
            _network = new SimulatedNetwork(_clock, seed)
            {
                Loss = _random.NextDouble() * 0.3,
                MostDelay = TimeSpan.FromSeconds(_random.NextDouble() * 2),
                IsCut = (from, to) => _cuts.Contains((from, to)) || _cuts.Contains((to, from)),
                Delivered = (from, to) => Hear(from, to),
            };
            Primary = new SimulatedPrimary(_network, _first, Name, $"""
                $TTL 300
                @ SOA ns hostmaster 1 3000 600 {ExpireSeconds} 60
                @ NS ns
                ns A 192.0.2.1
                $GENERATE 1-80 host-$ A 192.0.2.9

                """, _random);
            Primary.Start();
            int count = 1 + seed % 4;
            for (int i = 0; i < count; i++)
            {
                // The first copies from the primary, others from one or two that were there before.
                List<IPEndPoint> primaries = [i == 0 ? _first : i == 1 ? At(2) : At(1 + _random.Next(i + 1))];
                if (i > 1 && _random.Next(2) == 0) primaries.Add(_first);
                _secondaries.Add(new SimulatedSecondary(_network, At(2 + i), primaries, Name, seed * 100 + i));
                _secondaries[i].Start();
            }
        }

        public SimulatedPrimary Primary { get; }

        /// <summary>Goes through it.</summary>
        /// <returns>What tells this run from another.</returns>
        public (uint, int, int) Go()
        {
            for (int i = 0; i < Days * 24 * 6; i++)
            {
                Disturb();
                _clock.Advance(Step);
                Check();
            }
            Settle();
            foreach (SimulatedSecondary secondary in _secondaries) secondary.Dispose();
            return (Primary.Serves!.Serial, _network.DatagramsSent, _network.StreamsOpened);
        }

        private void Disturb()
        {
            DisturbPrimary();
            if (_random.Next(100) == 0) Cut();
            if (_random.Next(60) == 0) _cuts.Clear();
            foreach (SimulatedSecondary secondary in _secondaries)
            {
                if (_random.Next(150) == 0) secondary.Kill();
                if (secondary.Server is null && _random.Next(10) == 0) secondary.Start();
                if (_random.Next(300) == 0) SetClock(secondary);
            }
        }

        private void DisturbPrimary()
        {
            if (Primary.Server is null)
            {
                if (_random.Next(10) == 0) Primary.Start();
                return;
            }
            if (_random.Next(12) == 0 && Primary.Update())
                foreach (SimulatedSecondary secondary in _secondaries.Where(one => one.Primaries[0].Equals(_first)))
                    Notify(secondary);
            if (Primary.Server is not null && _random.Next(150) == 0) Primary.Synchronise();
            if (_random.Next(200) == 0) Primary.Kill();
        }

        private void Notify(SimulatedSecondary secondary)
        {
            if (_random.NextDouble() < _network.Loss || secondary.Server is null ||
                _network.IsCut(_first.Address, secondary.Address.Address)) return;
            byte[] message = (QueryMessage.For("z.test SOA") with { Flags = (int)Opcode.Notify << 11 }).ToOctets();
            secondary.Server.Answer(message, new IPEndPoint(_first.Address, 4000), false)?.MoveNext();
        }

        private void Cut()
        {
            IPAddress[] all = [_first.Address, .. _secondaries.Select(secondary => secondary.Address.Address)];
            _cuts.Add((all[_random.Next(all.Length)], all[_random.Next(all.Length)]));
        }

        private void SetClock(SimulatedSecondary secondary)
        {
            TimeSpan by = TimeSpan.FromSeconds(_random.Next(-7200, 7200));
            secondary.Clock.Ahead += by;
            if (by < TimeSpan.Zero) secondary.SetBack -= by;
        }

        private void Hear(IPAddress from, IPAddress to)
        {
            if (_secondaries.Find(one => one.Address.Address.Equals(to)) is not { } hearer) return;
            if (!hearer.Primaries.Any(primary => primary.Address.Equals(from))) return;
            _heardAt[to] = _clock.Elapsed;
        }

        /// <summary>
        /// None serves a version although it has not heard of any of its primaries for longer than that may be served.
        /// </summary>
        private void Check()
        {
            foreach (SimulatedSecondary secondary in _secondaries)
            {
                if (secondary.Serves is not { } zone) continue;
                TimeSpan silence = _clock.Elapsed - _heardAt.GetValueOrDefault(secondary.Address.Address);
                Assert.True(
                    silence <= TimeSpan.FromSeconds(ExpireSeconds) + secondary.SetBack + Slack,
                    $"seed {_seed}, {_clock.Elapsed}: {secondary.Address} serves {zone.Serial} after {silence} of " +
                        $"silence");
            }
        }

        /// <summary>
        /// All is well again: after the longest wait all have the primary's version, record by record.
        /// </summary>
        private void Settle()
        {
            _cuts.Clear();
            _network.Loss = 0;
            if (Primary.Server is null) Primary.Start();
            foreach (SimulatedSecondary secondary in _secondaries)
                if (secondary.Server is null) secondary.Start();
            _clock.Advance(TimeSpan.FromSeconds(5 * 3600));
            Zone truth = Primary.Serves!;
            foreach (SimulatedSecondary secondary in _secondaries)
            {
                uint? serial = secondary.Serves?.Serial;
                Assert.True(serial == truth.Serial,
                    $"seed {_seed}: {secondary.Address} has {serial}, not {truth.Serial}");
                Assert.Equal(ChangingZone.TextOf(truth), ChangingZone.TextOf(secondary.Serves!));
            }
        }

        private static IPEndPoint At(int number) => new(IPAddress.Parse($"192.0.2.{number}"), 53);
    }
}
