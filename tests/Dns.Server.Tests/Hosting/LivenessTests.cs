using System.Text;
using Dns.Testing;
using Microsoft.Extensions.Hosting;

namespace Dns.Server.Tests.Hosting;

/// <summary>The sign of life, and how long a stop may take.</summary>
public sealed class LivenessTests : IDisposable
{
    private readonly VirtualClock _clock = new();
    private readonly Lifetime _lifetime = new();

    public void Dispose() => _lifetime.Dispose();

    [Fact]
    public void Without_a_sign_of_life_of_the_server_the_manager_gets_none()
    {
        const string dead = "STATUS=TCP connections have not been accepted for 30 seconds";
        List<string> sent = [];
        using ServiceNotifier notifier =
            new(message => sent.Add(Encoding.UTF8.GetString(message)), TimeSpan.FromSeconds(10), _clock);
        bool accepts = true;
        using ServiceReports reports = new(notifier, new Liveness(() => accepts), _clock, _lifetime);
        reports.OnServing(new ZoneTotals(1, 0, 0, 0, 0, 12, 0, 0));
        reports.Begin();
        sent.Clear();
        _clock.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(["WATCHDOG=1", "WATCHDOG=1"], sent);
        accepts = false;
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal([dead, dead], sent[2..]);
        accepts = true;
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("WATCHDOG=1", sent[^1]);
    }

    [Fact]
    public void The_parts_of_a_stop_share_its_time()
    {
        StopTime stop = new(_clock, _lifetime);
        _clock.Advance(TimeSpan.FromSeconds(100));
        Assert.Equal(StopTime.InAll, stop.Left);
        _lifetime.StopApplication();
        _clock.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal(StopTime.InAll - TimeSpan.FromSeconds(1.5), stop.Left);
        _clock.Advance(TimeSpan.FromSeconds(100));
        Assert.Equal(TimeSpan.FromSeconds(0.5), stop.Left);
        // With the moment that closing takes the whole stop stays within five seconds.
        Assert.InRange(StopTime.InAll, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4.5));
    }

    private sealed class Lifetime : IHostApplicationLifetime, IDisposable
    {
        private readonly CancellationTokenSource _stopping = new();

        public CancellationToken ApplicationStarted => default;

        public CancellationToken ApplicationStopping => _stopping.Token;

        public CancellationToken ApplicationStopped => default;

        public void StopApplication() => _stopping.Cancel();

        public void Dispose() => _stopping.Dispose();
    }
}
