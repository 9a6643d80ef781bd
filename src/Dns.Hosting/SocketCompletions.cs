namespace Dns.Hosting;

/// <summary>Controls where the runtime continues after a socket operation on Linux.</summary>
internal static class SocketCompletions
{
    private const string Switch = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>
    /// Continues on the thread that polls the sockets instead of the thread pool: saves a third of the processor time
    /// of a query over the portable listener and over TCP, which never block. Called by the server alone, since other
    /// commands may block, and before its first socket: the runtime reads the variable once. An operator's value is
    /// kept.
    /// </summary>
    internal static void RunInline()
    {
        if (OperatingSystem.IsLinux() && Environment.GetEnvironmentVariable(Switch) is null)
            Environment.SetEnvironmentVariable(Switch, "1");
    }
}
