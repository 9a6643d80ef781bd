using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests.Streams;

/// <summary>The stream of a socket that another thread closes.</summary>
public sealed class SocketStreamTests
{
    [Fact]
    public void What_the_client_of_an_evicted_connection_has_taken_is_unknown()
    {
        using Socket listening = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listening.Listen();
        using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.Connect(listening.LocalEndPoint!);
        IByteStream stream = new SocketStream(listening.Accept());
        if (OperatingSystem.IsLinux()) Assert.NotNull(stream.TakenOctets);
        stream.Close();
        Assert.Null(stream.TakenOctets);
        stream.Release();
    }
}
