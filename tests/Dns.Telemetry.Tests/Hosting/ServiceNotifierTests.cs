using System.Collections;

namespace Dns.Telemetry.Tests.Hosting;

public class ServiceNotifierTests
{
    private static Hashtable Variables(params (string Name, string Value)[] variables)
    {
        Hashtable table = [];
        foreach ((string name, string value) in variables) table[name] = value;
        return table;
    }

    [Theory]
    [InlineData("10000000", null, 10)]
    [InlineData("10000000", "other", 0)]
    [InlineData("0", null, 0)]
    [InlineData("x", null, 0)]
    [InlineData("99999999999999999999", null, 0)]
    public void The_watchdog_interval_is_read_for_this_process_only(string microseconds, string? process, int seconds)
    {
        Hashtable variables = Variables(("WATCHDOG_USEC", microseconds));
        if (process is not null) variables["WATCHDOG_PID"] = process;
        using ServiceNotifier notifier = new(variables, TimeProvider.System);
        Assert.Equal(TimeSpan.FromSeconds(seconds), notifier.WatchdogInterval);
        Assert.False(notifier.IsConnected);
    }

    [Fact]
    public void A_manager_that_cannot_be_reached_disturbs_nothing()
    {
        using ServiceNotifier notifier = new(Variables(("NOTIFY_SOCKET", "/nowhere/at/all")), TimeProvider.System);
        using ServiceNotifier tooLong =
            new(Variables(("NOTIFY_SOCKET", "/" + new string('x', 300))), TimeProvider.System);
        notifier.Ready("x");
        tooLong.Ready("x");
        Assert.False(tooLong.IsConnected);
    }
}
