namespace Dns.Hosting;

/// <summary>Controls where the runtime continues after a socket operation on Linux.</summary>
public static class SocketCompletions
{
    private const string Switch = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";
    private const int LeastThreads = 16;

    /// <summary>
    /// Continues on the thread that polls the sockets instead of the thread pool: saves a third of the processor time
    /// of a query over the portable listener and over TCP, which never block. Called by the server alone, since other
    /// commands may block, and before its first socket: the runtime reads the variable once. An operator's value is
    /// kept. What may take long, such as a transfer, then has the pool for itself.
    /// </summary>
    public static void RunInline()
    {
        if (!OperatingSystem.IsLinux() || Environment.GetEnvironmentVariable(Switch) is not null) return;
        Environment.SetEnvironmentVariable(Switch, "1");
        ThreadPool.GetMinThreads(out int workers, out int ports);
        // Otherwise a few that compute for long let all others wait for half a second each.
        ThreadPool.SetMinThreads(Math.Max(workers, LeastThreads), ports);
    }
}
