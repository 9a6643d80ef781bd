using System.Net.Sockets;

namespace Dns.Integration.Tests;

/// <summary>A control socket of another user that takes no connections.</summary>
public sealed class ControlBacklogTests
{
    [Fact]
    public async Task A_socket_with_a_full_backlog_holds_nothing_up()
    {
        if (!OperatingSystem.IsLinux()) return;
        DirectoryInfo folder = Directory.CreateTempSubdirectory("dnsd-control-");
        string path = Path.Combine(folder.FullName, "control-53.sock");
        using Socket listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen(0);
        List<Socket> waiting = [];
        SocketException? full = null;
        while (full is null && waiting.Count < 100)
        {
            waiting
                .Add(new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false });
            full = Record.Exception(() => waiting[^1].Connect(new UnixDomainSocketEndPoint(path))) as SocketException;
        }
        Assert.Equal(SocketError.WouldBlock, full?.SocketErrorCode);
        Assert.True(await Task.Run(() => UnixControlListener.IsAlive(path)).WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.False(await Task.Run(() => UnixControlListener.IsOf(Environment.ProcessId, path))
            .WaitAsync(TimeSpan.FromMinutes(1)));
        waiting.ForEach(socket => socket.Dispose());
        listener.Dispose();
        folder.Delete(recursive: true);
    }
}
