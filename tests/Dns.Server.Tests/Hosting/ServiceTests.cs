using System.Collections;
using System.Net;

namespace Dns.Server.Tests.Hosting;

public class ServiceTests
{
    private static Hashtable Variables(params (string Name, string Value)[] variables)
    {
        Hashtable table = [];
        foreach ((string name, string value) in variables) table[name] = value;
        return table;
    }

    [Theory]
    [InlineData("17", "2", 2)]
    [InlineData("18", "2", 0)]
    [InlineData("17", "-2", 0)]
    [InlineData("17", "x", 0)]
    [InlineData("17", "99999999", 0)]
    public void Sockets_are_taken_over_only_when_they_are_meant_for_this_process(string process, string count,
        int expected) =>
        Assert.Equal(expected, ActivationSockets.Count(Variables(("LISTEN_PID", process), ("LISTEN_FDS", count)), 17));

    [Fact]
    public void Without_the_variables_of_a_manager_no_socket_is_taken_over() =>
        Assert.Equal(0, ActivationSockets.Count(Variables(), 17));

    [Fact]
    public void Without_sockets_handed_over_the_addresses_are_those_of_the_settings() =>
        Assert.Equal(
            [new ListenerAddress(IPEndPoint.Parse("192.0.2.1:53"))],
            ActivationSockets.Listeners([IPEndPoint.Parse("192.0.2.1:53")], null));

    [Fact]
    public void A_socket_is_of_the_kind_that_its_name_says()
    {
        IReadOnlyList<InheritedDescriptor> descriptors =
            ActivationSockets.Descriptors(Variables(("LISTEN_FDNAMES", "dnsd.socket:tls:dns")), 4);
        Assert.Equal(
            [new(3, ListenerKind.Plain), new(4, ListenerKind.Tls), new(5, ListenerKind.Plain),
                new(6, ListenerKind.Plain)], descriptors);
        Assert.Equal([new(3, ListenerKind.Plain)], ActivationSockets.Descriptors(Variables(), 1));
    }

    [Theory]
    [InlineData(1, 0, "Serving 1 zone with 12 records")]
    [InlineData(2000, 3, "Serving 2,000 zones with 12 records; 3 broken")]
    public void The_status_tells_what_is_served(int loaded, int failed, string expected) =>
        Assert.Equal(expected, ServiceReports.StatusOf(new ZoneTotals(loaded, 0, failed, 0, 0, 12, 0, 0)));
}
