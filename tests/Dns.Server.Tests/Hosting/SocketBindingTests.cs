using System.Net;

namespace Dns.Server.Tests.Hosting;

public sealed class SocketBindingTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static BindFailure Failure(string address, BindFailureKind kind) =>
        new(IPEndPoint.Parse(address), default, kind, "no");

    [Theory]
    [InlineData("[::1]:5335", 1, true)]
    [InlineData("[::1]:53", 1, true)]
    [InlineData("[::]:53", 1, true)]
    [InlineData("127.0.0.1:5335", 1, true)]
    [InlineData("[::1]:5335", 0, false)]
    [InlineData("192.0.2.1:53", 1, false)]
    [InlineData("[2001:db8::1]:53", 1, false)]
    public void An_address_that_the_machine_lacks_may_be_a_warning(string address, int bound, bool isWarning)
    {
        var (errors, warnings) = SocketBinding.Classify([Failure(address, BindFailureKind.AddressNotAvailable)], bound);
        Assert.Equal((isWarning ? 0 : 1, isWarning ? 1 : 0), (errors.Count, warnings.Count));
    }

    [Theory]
    [InlineData(BindFailureKind.AddressInUse)]
    [InlineData(BindFailureKind.PermissionDenied)]
    [InlineData(BindFailureKind.Other)]
    public void Every_other_failure_prevents_the_start(BindFailureKind kind) =>
        Assert.Single(SocketBinding.Classify([Failure("[::1]:5335", kind)], 1).Errors);

    [Fact]
    public void Settings_of_sockets_and_connections_are_passed_to_the_transport()
    {
        ServerOptions options = _folder.Options("""
            { "Version": "9", "Workers": 3, "RotateRRsets": true, "MinimalAny": false,
              "Udp": { "Listener": "Portable", "ReceiveBufferBytes": 65536 },
              "Tcp": { "MaxConnections": 5, "MaxConnectionsPerPrefix": 4, "MaxConnectionsPerClient": 3,
                       "IdleTimeoutSeconds": 7, "ReceiveTimeoutSeconds": 8, "SendTimeoutSeconds": 9 } }
            """);
        Assert.Equal(("9", 3, true, false),
            (options.Version, options.Workers, options.RotateRRsets, options.MinimalAny));
        Assert.Equal((UdpListenerKind.Portable, 65536), (options.Udp.Listener, options.Udp.ReceiveBufferBytes));
        TransportOptions transport = SocketBinding.TransportOptionsOf(options);
        Assert.Equal((5, 4, 3),
            (transport.Tcp.MaxConnections, transport.Tcp.MaxConnectionsPerPrefix,
                transport.Tcp.MaxConnectionsPerClient));
        Assert.Equal([7.0, 8.0, 9.0],
            new[] { transport.Tcp.IdleTimeout, transport.Tcp.ReceiveTimeout,
                transport.Tcp.SendTimeout }.Select(t => t.TotalSeconds));
        Assert.Equal((65536, UdpListenerKind.Portable, 3),
            (transport.SocketBufferBytes, transport.UdpListener, transport.Workers));
        Assert.Equal(7000, AnswerFeature.OptionsOf(options).TcpIdleTimeoutMs);
    }

    [Theory]
    [InlineData(4194304, 212992, "net.core.rmem_max=4194304")]
    [InlineData(4194304, 4194304, null)]
    [InlineData(0, 212992, null)]
    [InlineData(4194304, 0, null)]
    public void A_smaller_receive_buffer_than_asked_names_the_remedy(int asked, int granted, string? remedy)
    {
        string? note = SocketBinding.BufferNote(asked, granted);
        if (remedy is null || !OperatingSystem.IsLinux()) Assert.Equal(remedy is null, note is null);
        else Assert.Contains(remedy, note);
    }

    [Theory]
    [InlineData(ListenerKind.Plain, "UDP and TCP")]
    [InlineData(ListenerKind.Tls, "TLS")]
    public void The_log_names_the_protocol_of_a_listener(ListenerKind kind, string protocol) =>
        Assert.Equal(protocol, Listening.ProtocolOf(kind));

    [Fact]
    public void Proxies_are_listed_or_there_are_none()
    {
        Assert.Null(SocketBinding.TransportOptionsOf(_folder.Options("{ }")).ProxyFrom);
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53000"));
        Assert.True(SocketBinding.TransportOptionsOf(_folder.Options("""{ "Proxy": { "From": [ "192.0.2.0/24" ] } }"""))
            .ProxyFrom!.Contains(ref client));
    }
}
