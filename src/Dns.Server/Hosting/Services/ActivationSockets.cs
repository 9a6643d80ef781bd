using System.Collections;

namespace Dns.Server.Hosting.Services;

/// <summary>Sockets inherited from the service manager: sd_listen_fds(3).</summary>
internal static class ActivationSockets
{
    private const int First = 3;
    private const int Most = 4096;
    /// <summary>Inherits the sockets; null if there are none for this process.</summary>
    public static InheritedSockets? Take(IDictionary environment)
    {
        int count = Count(environment, Environment.ProcessId);
        return count > 0 && OperatingSystem.IsLinux() ? new InheritedSockets(Descriptors(environment, count)) : null;
    }

    /// <summary>
    /// The descriptors, each of the kind of its name (<c>FileDescriptorName=</c> of the socket unit), such as
    /// <c>tls</c>; any other name, such as that of the unit, is plain DNS.
    /// </summary>
    internal static IReadOnlyList<InheritedDescriptor> Descriptors(IDictionary environment, int count)
    {
        string[] names = (environment["LISTEN_FDNAMES"] as string ?? "").Split(':');
        return
        [
            .. Enumerable.Range(0, count).Select(i => new InheritedDescriptor(
                First + i, i < names.Length ? KindOf(names[i]) : ListenerKind.Plain)),
        ];
    }

    private static ListenerKind KindOf(string name) => name switch
    {
        "tls" => ListenerKind.Tls,
        "https" => ListenerKind.Https,
        "http" => ListenerKind.Http,
        _ => ListenerKind.Plain,
    };

    /// <summary>The number of sockets that the environment announces to a process.</summary>
    internal static int Count(IDictionary environment, int processId) =>
        environment["LISTEN_PID"] as string == processId.ToString(CultureInfo.InvariantCulture)
        && int.TryParse(environment["LISTEN_FDS"] as string, NumberStyles.None, CultureInfo.InvariantCulture,
            out int count)
        && count <= Most ? count : 0;

    /// <summary>
    /// The addresses to serve: only the inherited ones if the settings have none, else the settings' as well, since a
    /// manager may hold only privileged ports.
    /// </summary>
    public static IReadOnlyList<ListenerAddress> Listeners(IReadOnlyList<ListenerAddress> listen,
        InheritedSockets? inherited)
    {
        if (inherited is null || inherited.Listeners.Count == 0) return listen;
        return ReferenceEquals(listen, ServerOptions.DefaultListen)
            ? inherited.Listeners : [.. listen.Union(inherited.Listeners)];
    }
}
