using System.Globalization;
using System.Net;
using Dns.Protocol;
using Dns.Testing;
using Dns.Zones;

namespace Dns.Replication.Tests;

/// <summary>
/// Two to five servers over the real types, through many virtual days of loss, delay, partitions, ends of processes and clocks that are
/// set: all agree in the end, and none serves what has expired. <c>DNS_SIMULATION_SEEDS</c> runs more of them.
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
    public void All_agree_in_the_end_and_none_serves_what_has_expired()
    {
        int seeds = int.Parse(Environment.GetEnvironmentVariable("DNS_SIMULATION_SEEDS") ?? "4", CultureInfo.InvariantCulture);
        for (int seed = 1; seed <= seeds; seed++) new Run(seed).Go();
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
        private readonly SimulatedServer _primary;
        private readonly IPEndPoint _first = At(1);
        private readonly List<SimulatedSecondary> _secondaries = [];
        private readonly HashSet<(IPAddress, IPAddress)> _cuts = [];
        private readonly Dictionary<IPAddress, TimeSpan> _heardAt = [];
        private readonly int _seed;
        private bool _isPrimaryUp = true;
        private uint _serial = 1;

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
            _primary = new SimulatedServer(_clock);
            _primary.Publish("z.test", $"""
                $TTL 300
                @ SOA ns hostmaster 1 3000 600 {ExpireSeconds} 60
                @ NS ns
                ns A 192.0.2.1
                $GENERATE 1-80 host-$ A 192.0.2.9
                """);
            _network.Serve(_first, _primary.Answer);
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
            return (_serial, _network.DatagramsSent, _network.StreamsOpened);
        }

        private void Disturb()
        {
            if (_isPrimaryUp && _random.Next(12) == 0) Change();
            if (_random.Next(100) == 0) Cut();
            if (_random.Next(60) == 0) _cuts.Clear();
            if (_random.Next(200) == 0) TurnPrimary(!_isPrimaryUp);
            foreach (SimulatedSecondary secondary in _secondaries)
            {
                if (_random.Next(150) == 0) secondary.Kill();
                if (secondary.Server is null && _random.Next(10) == 0) secondary.Start();
                if (_random.Next(300) == 0) SetClock(secondary);
            }
        }

        private void Change()
        {
            int number = _random.Next(1_000_000);
            _serial = _primary.Change("z.test", delta => delta.Add(WireOctets.Name($"n{_serial}.z.test"), RRType.TXT, 60, [1, (byte)number]));
            foreach (SimulatedSecondary secondary in _secondaries.Where(one => one.Primaries[0].Equals(_first))) Notify(secondary);
        }

        private void Notify(SimulatedSecondary secondary)
        {
            if (_random.NextDouble() < _network.Loss || secondary.Server is null || _network.IsCut(_first.Address, secondary.Address.Address)) return;
            byte[] message = (QueryMessage.For("z.test SOA") with { Flags = (int)Opcode.Notify << 11 }).ToOctets();
            secondary.Server.Answer(message, new IPEndPoint(_first.Address, 4000), false)?.MoveNext();
        }

        private void Cut()
        {
            IPAddress[] all = [_first.Address, .. _secondaries.Select(secondary => secondary.Address.Address)];
            _cuts.Add((all[_random.Next(all.Length)], all[_random.Next(all.Length)]));
        }

        private void TurnPrimary(bool isUp)
        {
            _isPrimaryUp = isUp;
            _network.Serve(_first, isUp ? _primary.Answer : null);
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

        /// <summary>None serves a version although it has not heard of any of its primaries for longer than that may be served.</summary>
        private void Check()
        {
            foreach (SimulatedSecondary secondary in _secondaries)
            {
                if (secondary.Serves is not { } zone) continue;
                TimeSpan silence = _clock.Elapsed - _heardAt.GetValueOrDefault(secondary.Address.Address);
                Assert.True(
                    silence <= TimeSpan.FromSeconds(ExpireSeconds) + secondary.SetBack + Slack,
                    $"seed {_seed}, {_clock.Elapsed}: {secondary.Address} serves {zone.Serial} after {silence} of silence");
            }
        }

        /// <summary>All is well again: after the longest wait all have the primary's version, record by record.</summary>
        private void Settle()
        {
            _cuts.Clear();
            _network.Loss = 0;
            TurnPrimary(true);
            foreach (SimulatedSecondary secondary in _secondaries)
                if (secondary.Server is null) secondary.Start();
            _clock.Advance(TimeSpan.FromSeconds(5 * 3600));
            Zone truth = _primary.Published.Current.FindExact(Name)!.Zone!;
            foreach (SimulatedSecondary secondary in _secondaries)
            {
                uint? serial = secondary.Serves?.Serial;
                Assert.True(serial == truth.Serial, $"seed {_seed}: {secondary.Address} has {serial}, not {truth.Serial}");
                Assert.Equal(ChangingZone.TextOf(truth), ChangingZone.TextOf(secondary.Serves!));
            }
        }

        private static IPEndPoint At(int number) => new(IPAddress.Parse($"192.0.2.{number}"), 53);
    }
}
