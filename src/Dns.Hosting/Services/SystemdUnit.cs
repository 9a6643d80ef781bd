namespace Dns.Hosting.Services;

/// <summary>The systemd unit of the server, with minimal privileges.</summary>
public static class SystemdUnit
{
    /// <summary>The first line, which identifies our units.</summary>
    public const string Mark = "# Written by \"dnsd service install\"; changes belong into \"systemctl edit dnsd\".";

    /// <summary>User and group of the service where the operator names none.</summary>
    public const string Account = ServiceDefinition.Name;

    /// <summary>Declares <see cref="Account"/>: a file of sysusers.d(5).</summary>
    public const string AccountText = $"""
        # The user and group of the DNS server dnsd.
        u {Account} - "{ServiceDefinition.Description}"

        """;

    public static string Text(ServiceDefinition service) => $$"""
        {{Mark}}
        [Unit]
        Description={{ServiceDefinition.Description}}
        Documentation=man:dnsd(8) man:dnsd.json(5)
        After=network-online.target
        Wants=network-online.target nss-lookup.target
        Before=nss-lookup.target
        # Restarts come more than a second apart and never reach this: what the server lacked at its start may be there
        # later. A socket that starts it again at once does reach it.
        StartLimitIntervalSec=60
        StartLimitBurst=60

        [Service]
        Type=notify
        NotifyAccess=main
        {{StartLine(service)}}
        # Ends when the reload has, and fails when the settings are bad; the server then goes on as before.
        ExecReload={{Quote(service.Program)}} reload
        Restart=on-failure
        RestartSec=1
        # A malformed command line gets no better.
        RestartPreventExitStatus={{ExitCode.Usage}}
        WatchdogSec=30
        TimeoutStopSec=20
        # A server without a sign of life may not act on the signal to abort either.
        TimeoutAbortSec=5
        SyslogIdentifier={{ServiceDefinition.Name}}
        # No diagnostics socket of the runtime below /tmp.
        Environment=DOTNET_EnableDiagnostics=0

        # A static user: a dynamic one has no name in backups, and no group for settings with secrets.
        {{(service.User is null ? $"User={Account}\nGroup={Account}" : "User=" + service.User)}}
        RuntimeDirectory=dnsd
        StateDirectory=dnsd
        StateDirectoryMode=0700
        LogsDirectory=dnsd
        LogsDirectoryMode=0750
        WorkingDirectory=%S/dnsd
        UMask=0027
        LimitNOFILE=65536
        AmbientCapabilities=CAP_NET_BIND_SERVICE
        CapabilityBoundingSet=CAP_NET_BIND_SERVICE
        NoNewPrivileges=yes

        ProtectSystem=strict
        ProtectHome=yes
        ProtectProc=invisible
        ProtectClock=yes
        ProtectHostname=yes
        ProtectControlGroups=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        PrivateTmp=yes
        PrivateDevices=yes
        # systemd leaves this writable where it protects /proc and /sys as well.
        ReadOnlyPaths=/run
        # The one folder for temporary files that everything above leaves shared.
        InaccessiblePaths=-/dev/shm
        RemoveIPC=yes
        LockPersonality=yes
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        # AF_NETLINK is how the addresses of the machine are read.
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged
        SystemCallErrorNumber=EPERM
        # Not MemoryDenyWriteExecute: the runtime compiles code while it runs, and has to execute what it wrote.

        [Install]
        WantedBy=multi-user.target

        """;

    /// <summary>Quotes a word of a command line; % and $ are doubled (systemd.service(5)).</summary>
    internal static string StartLine(ServiceDefinition service) =>
        $"ExecStart={Quote(service.Program)} run --config {Quote(service.Config)}";

    private static string Quote(string word)
    {
        string escaped = word.Replace("\\", "\\\\").Replace("\"", "\\\"").Replace("%", "%%").Replace("$", "$$");
        return escaped.AsSpan().ContainsAny(" \t'\";\\") ? $"\"{escaped}\"" : escaped;
    }
}
