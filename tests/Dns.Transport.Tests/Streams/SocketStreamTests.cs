using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests.Streams;

/// <summary>The stream of a socket that another thread closes.</summary>
public sealed class SocketStreamTests
{
    [Fact]
    public async Task An_empty_receive_waits_for_octets_and_takes_none()
    {
        using Socket listening = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listening.Listen();
        using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.Connect(listening.LocalEndPoint!);
        IByteStream stream = new SocketStream(listening.Accept());
        Assert.True(await stream.OpenAsync());
        Task<int> readable = stream.ReceiveAsync(Memory<byte>.Empty).AsTask();
        Assert.False(readable.IsCompleted);
        client.Send([7]);
        Assert.Equal(0, await readable.WaitAsync(TimeSpan.FromMinutes(1)));
        byte[] room = new byte[4];
        Assert.Equal(1, await stream.ReceiveAsync(room));
        Assert.Equal(7, room[0]);
        client.Shutdown(SocketShutdown.Send);
        Assert.Equal(0, await stream.ReceiveAsync(room));
        stream.Close();
        stream.Release();
    }

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
