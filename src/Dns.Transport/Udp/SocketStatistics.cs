using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>Kernel statistics of sockets.</summary>
internal static class SocketStatistics
{
    private const int LinuxSolSocket = 1;
    private const int LinuxMemInfo = 55;
    private const int MemInfoFields = 9;
    private const int MemInfoDrops = 8;

    /// <summary>Adds the kernel's counters for the sockets of one address.</summary>
    public static UdpCounters Add(UdpCounters counters, IEnumerable<Socket> sockets)
    {
        long drops = 0;
        int granted = 0;
        foreach (Socket socket in sockets)
        {
            try
            {
                drops += KernelDrops(socket);
                granted = socket.ReceiveBufferSize;
            }
            catch (Exception error) when (error is ObjectDisposedException or SocketException)
            {
                // Closed meanwhile: its counters are lost.
            }
        }
        return counters with { KernelDrops = drops, ReceiveBufferBytes = granted };
    }

    private static long KernelDrops(Socket socket)
    {
        if (!OperatingSystem.IsLinux()) return 0;
        Span<uint> fields = stackalloc uint[MemInfoFields];
        int octets = socket.GetRawSocketOption(LinuxSolSocket, LinuxMemInfo, MemoryMarshal.AsBytes(fields));
        return octets == MemInfoFields * sizeof(uint) ? fields[MemInfoDrops] : 0;
    }
}
