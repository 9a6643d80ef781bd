namespace Dns.Hosting;

/// <summary>Where the runtime continues after a socket operation on Linux.</summary>
internal static class SocketCompletions
{
    private const string Switch = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>
    /// Lets answers be made on the thread that sees a socket become ready, instead of handing them to the pool: a third
    /// of the processor time of a query over the portable listener and over TCP. Nothing on those paths blocks.
    /// </summary>
    /// <remarks>
    /// The runtime reads the variable once, at the first asynchronous use of a socket; so this comes first in the
    /// program. An operator's own value stays.
    /// </remarks>
    internal static void RunInline()
    {
        if (OperatingSystem.IsLinux() && Environment.GetEnvironmentVariable(Switch) is null)
            Environment.SetEnvironmentVariable(Switch, "1");
    }
}
