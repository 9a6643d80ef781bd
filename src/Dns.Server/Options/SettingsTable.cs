using Dns.Transport;

namespace Dns.Server;

/// <summary>Every setting of section <c>Dns</c>: a new one is a property of the options, a row here, and the schema.</summary>
internal static class SettingsTable
{
    /// <summary>The rules.</summary>
    public static SectionRule Dns { get; } = new("Dns",
        new ListRule("Listen", "a list of addresses such as [\"127.0.0.1:5335\", \"[::1]:5335\"]", ListenSetting.Apply),
        new TextRule("Identity", (o, v) => o.Identity = v),
        new TextRule("Version", (o, v) => o.Version = v),
        new NumberRule("MaxUdpPayload", 512, 65535, "octets", (o, v) => o.MaxUdpPayload = v),
        new NumberRule("Workers", 0, 1024, "threads", (o, v) => o.Workers = v),
        new FlagRule("RotateRRsets", (o, v) => o.RotateRRsets = v),
        new FlagRule("MinimalAny", (o, v) => o.MinimalAny = v),
        new ListRule("Zones", "a list of zones such as [{ \"Name\": \"example.com\", \"File\": \"example.com.zone\" }]",
            ZonesSetting.Apply),
        new SectionRule("Udp",
            new ChoiceRule("Listener", ["auto", "batched", "portable"],
                (o, v) => o.Udp.Listener = Enum.Parse<UdpListenerKind>(v, ignoreCase: true)),
            new NumberRule("ReceiveBufferBytes", 0, 1 << 30, "bytes", (o, v) => o.Udp.ReceiveBufferBytes = v)),
        new SectionRule("Tcp",
            new NumberRule("MaxConnections", 1, 1_000_000, "connections", (o, v) => o.Tcp.MaxConnections = v),
            new NumberRule("MaxConnectionsPerClient", 1, 1_000_000, "connections",
                (o, v) => o.Tcp.MaxConnectionsPerClient = v),
            new NumberRule("MaxConnectionsPerPrefix", 1, 1_000_000, "connections",
                (o, v) => o.Tcp.MaxConnectionsPerPrefix = v),
            new NumberRule("IdleTimeoutSeconds", 1, 6553, "seconds", (o, v) => o.Tcp.IdleTimeoutSeconds = v),
            new NumberRule("ReceiveTimeoutSeconds", 1, 3600, "seconds", (o, v) => o.Tcp.ReceiveTimeoutSeconds = v),
            new NumberRule("SendTimeoutSeconds", 1, 3600, "seconds", (o, v) => o.Tcp.SendTimeoutSeconds = v)));
}
