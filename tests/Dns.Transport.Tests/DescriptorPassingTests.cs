using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using Dns.Testing;

namespace Dns.Transport.Tests;

[SupportedOSPlatform("linux")]
public sealed class DescriptorPassingTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dns-pass").FullName;
    private readonly List<Socket> _sockets = [];

    public void Dispose()
    {
        _sockets.ForEach(socket => socket.Dispose());
        Directory.Delete(_folder, recursive: true);
    }

    private (Socket Sender, Socket Receiver) Connect()
    {
        UnixDomainSocketEndPoint name = new(Path.Combine(_folder, "pass"));
        Socket listening = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        Socket receiver =
            new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { ReceiveTimeout = 20_000 };
        listening.Bind(name);
        listening.Listen();
        receiver.Connect(name);
        Socket sender = listening.Accept();
        _sockets.AddRange([listening, receiver, sender]);
        return (sender, receiver);
    }

    private Socket Udp()
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        _sockets.Add(socket);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    [LinuxTheory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(128)]
    [InlineData(300)]
    public void Sockets_arrive_whatever_their_number_and_stay_with_the_sender(int count)
    {
        var (sender, receiver) = Connect();
        Socket[] sent = [.. Enumerable.Range(0, count).Select(_ => Udp())];
        DescriptorPassing.Send(sender,
            Array.ConvertAll(sent, socket => new OpenListener(socket.SafeHandle, ListenerKind.Plain)));
        using InheritedSockets inherited = new(DescriptorPassing.Receive(receiver));
        Assert.Empty(inherited.Problems);
        Assert.Equal(sent.Select(socket => new ListenerAddress((IPEndPoint)socket.LocalEndPoint!)),
            inherited.Listeners);
    }

    [LinuxFact]
    public void What_arrives_is_received_by_either_process_after_the_other_has_closed()
    {
        var (sender, receiver) = Connect();
        Socket sent = Udp();
        IPEndPoint address = (IPEndPoint)sent.LocalEndPoint!;
        DescriptorPassing.Send(sender, [new OpenListener(sent.SafeHandle, ListenerKind.Plain)]);
        int descriptor = Assert.Single(DescriptorPassing.Receive(receiver)).Number;
        Udp().SendTo([1, 2, 3], address);
        sent.Dispose();
        using Socket taken = new(new SafeSocketHandle(descriptor, ownsHandle: true)) { ReceiveTimeout = 20_000 };
        Assert.Equal(3, taken.Receive(new byte[10]));
    }

    [LinuxFact]
    public void The_kinds_of_sockets_arrive_with_them()
    {
        var (sender, receiver) = Connect();
        ListenerKind[] kinds = [ListenerKind.Plain, ListenerKind.Tls, ListenerKind.Tls, ListenerKind.Plain];
        DescriptorPassing.Send(sender, Array.ConvertAll(kinds, kind => new OpenListener(Udp().SafeHandle, kind)));
        IReadOnlyList<InheritedDescriptor> descriptors = DescriptorPassing.Receive(receiver);
        foreach (InheritedDescriptor descriptor in descriptors)
            new SafeSocketHandle(descriptor.Number, ownsHandle: true).Dispose();
        Assert.Equal(kinds, descriptors.Select(descriptor => descriptor.Kind));
    }

    [LinuxTheory]
    [InlineData(new byte[] { 0, 0, 0, 0, 9, 0, 0, 0 })]
    [InlineData(new byte[] { 0, 0, 0, 0, 0, 1, 0, 0 })]
    [InlineData(new byte[] { 0, 0, 0, 2, 0, 0, 0, 2 })]
    [InlineData(new byte[] { 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0 })]
    [InlineData(new byte[] { 0, 0 })]
    [InlineData(new byte[] { })]
    public void A_message_that_promises_what_it_does_not_bring_is_refused(byte[] message)
    {
        var (sender, receiver) = Connect();
        sender.Send(message);
        sender.Shutdown(SocketShutdown.Send);
        Assert.Throws<SocketException>(() => DescriptorPassing.Receive(receiver));
    }

    [LinuxFact]
    public void A_process_of_our_own_user_is_trusted()
    {
        var (sender, receiver) = Connect();
        Assert.True(DescriptorPassing.IsTrusted(sender, out int receiving));
        Assert.True(DescriptorPassing.IsTrusted(receiver, out int sending));
        Assert.Equal((Environment.ProcessId, Environment.ProcessId), (receiving, sending));
    }
}
