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
    private const string TlsName = "tls";

    /// <summary>Takes the sockets over; null when there are none for this process.</summary>
    public static InheritedSockets? Take(IDictionary environment)
    {
        int count = Count(environment, Environment.ProcessId);
        return count > 0 && OperatingSystem.IsLinux() ? new InheritedSockets(Descriptors(environment, count)) : null;
    }

    /// <summary>
    /// The descriptors, each of the kind that its name says (<c>FileDescriptorName=</c> of the socket unit): <c>tls</c> is DNS over
    /// TLS, whatever else, such as the name of the unit, plain DNS.
    /// </summary>
    internal static IReadOnlyList<InheritedDescriptor> Descriptors(IDictionary environment, int count)
    {
        string[] names = (environment["LISTEN_FDNAMES"] as string ?? "").Split(':');
        return
        [
            .. Enumerable.Range(0, count).Select(i => new InheritedDescriptor(
                First + i, i < names.Length && names[i] == TlsName ? ListenerKind.Tls : ListenerKind.Plain)),
        ];
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
    public static IReadOnlyList<ListenerAddress> Listeners(IReadOnlyList<IPEndPoint> listen, InheritedSockets? inherited)
    {
        ListenerAddress[] own = [.. listen];
        if (inherited is null || inherited.Listeners.Count == 0) return own;
        return ReferenceEquals(listen, ServerOptions.DefaultListen) ? inherited.Listeners : [.. own.Union(inherited.Listeners)];
    }
}
