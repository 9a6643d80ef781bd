using System.Collections;
using System.Globalization;
using System.Net;
using Dns.Transport;

namespace Dns.Server;

/// <summary>Sockets that the service manager has bound for us: sd_listen_fds(3).</summary>
internal static class ActivationSockets
{
    private const int First = 3;
    private const int Most = 4096;

    /// <summary>Takes the sockets over; null when there are none for this process.</summary>
    public static HandedSockets? Take(IDictionary environment)
    {
        int count = Count(environment, Environment.ProcessId);
        return count > 0 && OperatingSystem.IsLinux() ? new HandedSockets(Enumerable.Range(First, count)) : null;
    }

    /// <summary>How many sockets the environment promises to a process.</summary>
    internal static int Count(IDictionary environment, int processId) =>
        environment["LISTEN_PID"] as string == processId.ToString(CultureInfo.InvariantCulture)
        && int.TryParse(environment["LISTEN_FDS"] as string, NumberStyles.None, CultureInfo.InvariantCulture, out int count)
        && count <= Most ? count : 0;

    /// <summary>
    /// The addresses to serve: those handed over alone when the settings say nothing of their own, else the settings' as
    /// well, since a manager may hold only the ports that the server may not bind.
    /// </summary>
    public static IReadOnlyList<IPEndPoint> EndPoints(IReadOnlyList<IPEndPoint> listen, HandedSockets? handed)
    {
        if (handed is null || handed.EndPoints.Count == 0) return listen;
        return ReferenceEquals(listen, ServerOptions.DefaultListen) ? handed.EndPoints : [.. listen.Union(handed.EndPoints)];
    }
}
