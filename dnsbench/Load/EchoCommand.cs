using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>
/// The command <c>echo</c>: returns datagrams to their senders, in batches; the baseline for servers.
/// </summary>
internal static class EchoCommand
{
    private const int BatchSize = 64;
    private const int SlotOctets = 2048;
    private const int SocketBufferBytes = 4 << 20;

    internal static BenchCommand Command { get; } = new(
        "echo", "a plain UDP echo, 64 datagrams a system call: the floor that servers are measured by",
        new OptionSet(("listen", "127.0.0.1:5300", "address and port")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = SocketBufferBytes, SendBufferSize = SocketBufferBytes,
        };
        socket.Bind(IPEndPoint.Parse(options["listen"]));
        int handle = (int)socket.SafeHandle.DangerousGetHandle();
        using LinuxSockets.Batch batch = new(BatchSize, SlotOctets, hasPeers: true);
        Console.WriteLine($"echo on {socket.LocalEndPoint}");
        while (true)
        {
            int count = batch.Receive(handle, LinuxSockets.WaitForOne);
            batch.TurnAround(count);
            batch.Send(handle, count);
        }
    }
}
