using System.Text.Json;

namespace Dns.Management.Control;

/// <summary>Finds the address of the running server through its control socket.</summary>
public static class RunningServer
{
    /// <summary>For all servers together; slower ones are ignored.</summary>
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(3);

    /// <summary>Finds it; 127.0.0.1 port 53 without an accessible running server.</summary>
    /// <exception cref="ControlException">Several servers are running, none of them on port 53.</exception>
    public static Task<IPEndPoint> FindAsync(CancellationToken cancellation) =>
        FindAsync(ControlClient.FindServers(), MaxWait, cancellation);

    internal static async Task<IPEndPoint> FindAsync(IReadOnlyList<string> paths, TimeSpan timeout,
        CancellationToken cancellation)
    {
        List<IPEndPoint> found = [];
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        deadline.CancelAfter(timeout);
        foreach (string path in paths)
            if (await FindAddressAsync(path, deadline.Token) is { } address) found.Add(address);
        IPEndPoint? usual = found.Find(address => address.Port == ListenSetting.DefaultPort);
        if (usual is not null || found.Count == 0)
            return usual ?? new IPEndPoint(IPAddress.Loopback, ListenSetting.DefaultPort);
        return found.Count == 1 ? found[0] : throw new ControlException(
            "several servers run here; choose one of " + string.Join(", ", found.Select(address => "@" + address)));
    }

    /// <summary>The listen address of a server to use from the same machine.</summary>
    internal static IPEndPoint? Choose(IEnumerable<IPEndPoint> listening)
    {
        IPEndPoint[] addresses = [.. listening.Select(Reachable)];
        return Array.Find(addresses, address => address.Address.Equals(IPAddress.Loopback))
            ?? Array.Find(addresses, address => IPAddress.IsLoopback(address.Address)) ?? addresses.FirstOrDefault();
    }

    private static IPEndPoint Reachable(IPEndPoint address) =>
        address.Address.Equals(IPAddress.Any) ? new IPEndPoint(IPAddress.Loopback, address.Port)
        : address.Address.Equals(IPAddress.IPv6Any) ? new IPEndPoint(IPAddress.IPv6Loopback, address.Port)
        : address;

    private static async Task<IPEndPoint?> FindAddressAsync(string path, CancellationToken cancellation)
    {
        try
        {
            await using Stream stream = await ControlClient.ConnectAsync(path, cancellation);
            ControlReply reply = await ControlClient.SendAsync(
                path, stream, new ControlRequest("status") { WantsData = true }, cancellation);
            StatusSummary? status = reply.Data?.Deserialize(ControlJson.Default.StatusSummary);
            return Choose(from text in status?.Listening ?? [] where IPEndPoint.TryParse(text, out _)
            select IPEndPoint.Parse(text));
        }
        catch (Exception error) when (error is ControlException or JsonException or OperationCanceledException)
        {
            // Access denied, or a timeout: try another.
            return null;
        }
    }
}
