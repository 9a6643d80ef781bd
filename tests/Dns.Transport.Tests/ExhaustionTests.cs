using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Dns.Testing;
using Microsoft.Win32.SafeHandles;

namespace Dns.Transport.Tests;

/// <summary>
/// More connections than there is room for. Lowers a limit of the whole process, so it runs alone.
/// </summary>
[Collection("alone")]
public sealed class ExhaustionTests
{
    [Fact]
    public async Task Hundreds_of_idle_connections_hold_up_neither_UDP_nor_a_new_connection()
    {
        await using ListenerSet set = Start(new TcpLimits { MaxConnections = 150 });
        using Socket udp = UdpRig.ClientOf(set.EndPoints[0]);
        Socket[] clients = Sockets(500);
        foreach (Socket client in clients)
        {
            client.Connect(set.EndPoints[0]);
        }

        Assert.Equal(12, Ask(udp));
        Assert.Equal(7, TcpRig.Ask(clients[^1], TestResponder.Query(7))[1]);
        Assert.True(TcpRig.IsClosed(clients[0]));
        Assert.Equal(150, set.ReadTcpCounters().Open);
        Assert.Equal(350, set.ReadTcpCounters().Evicted);
        Array.ForEach(clients, client => client.Dispose());
    }

    [LinuxFact]
    public async Task Out_of_descriptors_accepting_goes_on_without_spinning_and_so_does_UDP()
    {
        await using ListenerSet set = Start(new TcpLimits());
        using Socket udp = UdpRig.ClientOf(set.EndPoints[0]);
        Socket[] clients = Sockets(40);

        // One of each before, so that nothing has to be loaded while no file can be opened.
        clients[0].Connect(set.EndPoints[0]);
        TcpRig.Ask(clients[0], TestResponder.Query(1));
        Ask(udp);
        _ = set.ReadTcpCounters();
        using (new FewDescriptors(spare: 10))
        {
            for (int i = 1; i < clients.Length; i++)
            {
                clients[i].Connect(set.EndPoints[0]);
            }

            Assert.Equal(7, TcpRig.Ask(clients[^1], TestResponder.Query(7))[1]);
            Assert.Equal(12, Ask(udp));
        }

        TcpCounters counters = set.ReadTcpCounters();
        Assert.InRange(counters.AcceptErrors, 1, 100);
        Assert.Equal(40, counters.Accepted);
        Array.ForEach(clients, client => client.Dispose());
    }

    private static ListenerSet Start(TcpLimits limits)
    {
        ListenerSet set = ListenerSet.Bind(
            new TransportOptions { Listeners = [IPEndPoint.Parse("127.0.0.1:0")], Tcp = limits, Workers = 1 },
            out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        set.Start(new TestResponder());
        return set;
    }

    private static Socket[] Sockets(int count) => [.. Enumerable.Range(0, count).Select(_ =>
        new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            ReceiveTimeout = TcpRig.TimeoutMs,
        })];

    private static int Ask(Socket udp)
    {
        udp.Send(TestResponder.Query(1));
        return udp.Receive(new byte[100]);
    }

    /// <summary>
    /// Lowers the process's limit on open files to a little above what is open, until disposed.
    /// </summary>
    private sealed class FewDescriptors : IDisposable
    {
        private const int OpenFiles = 7;
        private readonly ulong[] _before = new ulong[2];
        private readonly List<SafeFileHandle> _gaps = [];

        public FewDescriptors(int spare)
        {
            Assert.Equal(0, GetResourceLimit(OpenFiles, _before));
            int highest = Directory.EnumerateFiles("/proc/self/fd").Max(path => int.Parse(path.AsSpan(14)));

            // The limit is on the number of a descriptor, so the numbers free below it must be taken.
            do
            {
                _gaps.Add(File.OpenHandle("/dev/null"));
            }
            while (_gaps[^1].DangerousGetHandle() < highest);
            Assert.Equal(0, SetResourceLimit(OpenFiles, [(ulong)(highest + spare), _before[1]]));
        }

        public void Dispose()
        {
            Assert.Equal(0, SetResourceLimit(OpenFiles, _before));
            _gaps.ForEach(gap => gap.Dispose());
        }

        [DllImport("libc", EntryPoint = "getrlimit")]
        private static extern int GetResourceLimit(int resource, [Out] ulong[] softAndHard);

        [DllImport("libc", EntryPoint = "setrlimit")]
        private static extern int SetResourceLimit(int resource, ulong[] softAndHard);
    }
}
