using Dns.Testing;

namespace Dns.Telemetry.Tests.Hosting;

public sealed class SystemdServiceTests : IDisposable
{
    /// <summary>What the unit says, without comments and empty lines.</summary>
    private const string UnitLines = """
        [Unit]
        Description=DNS server dnsd
        Documentation=man:dnsd(8) man:dnsd.json(5)
        After=network-online.target
        Wants=network-online.target nss-lookup.target
        Before=nss-lookup.target
        StartLimitIntervalSec=60
        StartLimitBurst=60
        [Service]
        Type=notify
        NotifyAccess=main
        ExecStart=/opt/dnsd/dnsd run --config /etc/dnsd/dnsd.json
        ExecReload=/opt/dnsd/dnsd reload
        Restart=on-failure
        RestartSec=1
        RestartPreventExitStatus=2
        WatchdogSec=30
        TimeoutStopSec=20
        TimeoutAbortSec=5
        SyslogIdentifier=dnsd
        Environment=DOTNET_EnableDiagnostics=0
        User=dnsd
        Group=dnsd
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
        ReadOnlyPaths=/run
        InaccessiblePaths=-/dev/shm
        RemoveIPC=yes
        LockPersonality=yes
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged
        SystemCallErrorNumber=EPERM
        [Install]
        WantedBy=multi-user.target
        """;

    private static readonly ServiceDefinition Good = new("/opt/dnsd/dnsd", "/etc/dnsd/dnsd.json", null)
    {
        WriteSettings = ServiceSettings.WriteIfMissing,
    };

    private readonly SettingsFolder _folder = new();
    private readonly StringWriter _output = new(), _errors = new();
    private readonly List<string> _calls = [];
    private (int ExitCode, string Output) _answer = (0, "");
    private (string Program, (int ExitCode, string Output) Answer)? _failing;

    public void Dispose() => _folder.Dispose();

    private SystemdService Systemd(bool isRunning = true)
    {
        if (isRunning) Directory.CreateDirectory(Path.Combine(_folder.Root, "run/systemd/system"));
        return new SystemdService(_folder.Root, (program, arguments) =>
        {
            string call = string.Join(' ', arguments);
            _calls.Add(program == "systemctl" ? call : $"{program} {call}".Replace(_folder.Root, ""));
            return program == _failing?.Program ? _failing.Value.Answer : _answer;
        });
    }

    private static string LinesOf(string unit) =>
        string.Join('\n', unit.Split('\n').Where(line => line.Length > 0 && line[0] != '#'));

    private const string GroupGiven =
        "chown --from=:root :dnsd /etc/dnsd /etc/dnsd/zones /etc/dnsd/dnsd.json";

    private string AccountFile => Path.Combine(_folder.Root, "etc/sysusers.d/dnsd.conf");

    private string UnitFile => Path.Combine(_folder.Root, "etc/systemd/system/dnsd.service");

    [Fact]
    public void Installing_writes_unit_and_settings_and_starts_the_service()
    {
        Assert.Equal(0, Systemd().Install(Good, _output, _errors));
        Assert.Equal(UnitLines, LinesOf(File.ReadAllText(UnitFile)));
        Assert.Equal(
            ["systemd-sysusers /etc/sysusers.d/dnsd.conf", GroupGiven, "daemon-reload", "enable dnsd.service",
                "restart dnsd.service"], _calls);
        Assert.Empty(_errors.ToString());
        string settings = File.ReadAllText(Path.Combine(_folder.Root, "etc/dnsd/dnsd.json"));
        Assert.True(Directory.Exists(Path.Combine(_folder.Root, "etc/dnsd/zones")));
        ServerOptions options = SettingsReader.Read(
            new() { ConfigFile = _folder.Write("copy.json", settings) }, new System.Collections.Hashtable()).Options;
        Assert.Equal(["0.0.0.0:53", "[::]:53"], options.Listen.Select(endPoint => endPoint.ToString()));
    }

    [Fact]
    public void The_package_declares_the_same_user() => Assert.Equal(
        LinesOf(File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "../packaging/dnsd.sysusers"))),
        LinesOf(SystemdUnit.AccountText.ReplaceLineEndings("\n")));

    [LinuxFact]
    public void User_and_group_of_the_service_are_made_and_new_settings_get_that_group()
    {
        if (OperatingSystem.IsWindows()) return;
        Assert.Equal(0, Systemd().Install(Good, _output, _errors));
        Assert.Equal("u dnsd - \"DNS server dnsd\"", LinesOf(File.ReadAllText(AccountFile)));
        foreach (string folder in new[] { "etc/dnsd", "etc/dnsd/zones" })
            Assert.True(File.GetUnixFileMode(Path.Combine(_folder.Root, folder)).HasFlag(UnixFileMode.SetGroup));
        // Once more: what the operator has changed since stays.
        _calls.Clear();
        Assert.Equal(0, Systemd().Install(Good, _output, _errors));
        Assert.DoesNotContain(GroupGiven, _calls);
    }

    [Fact]
    public void A_unit_with_a_dynamic_user_is_replaced_and_the_settings_get_the_group()
    {
        _folder.Write("etc/dnsd/dnsd.json", "mine");
        _folder.Write("etc/systemd/system/dnsd.service", SystemdUnit.Mark + "\n[Service]\nDynamicUser=yes\n");
        Assert.Equal(0, Systemd().Install(Good, _output, _errors));
        Assert.Contains("chown --from=:root :dnsd /etc/dnsd /etc/dnsd/dnsd.json", _calls);
    }

    [Theory]
    [InlineData("/etc/other/dnsd.json", null)]
    [InlineData("/etc/dnsd/dnsd.json", "dns")]
    public void A_unit_of_other_settings_or_of_another_user_is_replaced_and_the_settings_get_the_group(
        string config, string? user)
    {
        Assert.Equal(0, Systemd().Install(Good with { Config = config, User = user }, _output, _errors));
        Assert.Equal(config.Contains("other"),
            _output.ToString().Contains($"{config}: user dnsd of the service has to be able to read it"));
        Assert.DoesNotContain(GroupGiven, _calls);
        Assert.Equal(0, Systemd().Install(Good, _output, _errors));
        Assert.Contains(GroupGiven, _calls);
    }

    [Theory]
    [InlineData("/etc/dnsd.json", null)]
    [InlineData("/etc/dnsd/dnsd.json", "dns")]
    public void Settings_elsewhere_and_those_of_an_existing_user_keep_their_group(string config, string? user)
    {
        Assert.Equal(0, Systemd().Install(Good with { Config = config, User = user }, _output, _errors));
        Assert.DoesNotContain(_calls, call => call.StartsWith("chown", StringComparison.Ordinal));
        Assert.Equal(user is null, File.Exists(AccountFile));
    }

    [Fact]
    public void Without_systemd_sysusers_an_error_says_how_to_make_the_user_and_no_unit_is_written()
    {
        _failing = ("systemd-sysusers", (-1, "it is not installed\n"));
        Assert.Equal(1, Systemd().Install(Good, _output, _errors));
        Assert.Equal($"dnsd: error: systemd-sysusers {AccountFile}: it is not installed"
            + Environment.NewLine + "dnsd: error: without it: \"useradd --system --user-group dnsd\", then "
            + "\"dnsd service install --user dnsd\"", _errors.ToString().TrimEnd());
        Assert.False(File.Exists(UnitFile));
    }

    [Fact]
    public void Settings_that_are_there_are_not_touched()
    {
        _folder.Write("etc/dnsd/dnsd.json", "mine");
        Assert.Equal(0, Systemd().Install(Good, _output, _errors));
        Assert.Equal("mine", File.ReadAllText(Path.Combine(_folder.Root, "etc/dnsd/dnsd.json")));
    }

    [Fact]
    public void Without_a_running_systemd_the_service_is_only_enabled()
    {
        Assert.Equal(0, Systemd(isRunning: false).Install(Good, _output, _errors));
        Assert.Equal("enable dnsd.service", _calls[^1]);
        Assert.DoesNotContain("daemon-reload", _calls);
        Assert.Contains("next start of the machine", _output.ToString());
    }

    [Fact]
    public void A_unit_of_somebody_else_is_neither_replaced_nor_removed()
    {
        _folder.Write("etc/systemd/system/dnsd.service", "[Unit]\n");
        Assert.Equal(1, Systemd().Install(Good, _output, _errors));
        Assert.Equal(1, Systemd().Uninstall(_output, _errors));
        Assert.Equal("[Unit]\n", File.ReadAllText(UnitFile));
        Assert.Empty(_calls);
    }

    [Theory]
    [InlineData("/run/user/7/dnsd", "/etc/dnsd/dnsd.json", null,
        "/run/user/7/dnsd is in a folder that the service cannot see")]
    [InlineData("/opt/dnsd/dnsd", "/tmp/dnsd.json", null, "/tmp/dnsd.json is in a folder that the service cannot see")]
    [InlineData("/opt/dnsd/dnsd", "/etc/dnsd/dnsd.json", "a b\nExecStart=x", "is not the name of a user")]
    public void What_cannot_work_is_refused_and_nothing_is_written(string program, string config, string? user,
        string expected)
    {
        ServiceDefinition service = Good with { Program = program, Config = config, User = user };
        Assert.Equal(1, Systemd().Install(service, _output, _errors));
        Assert.Contains(expected, _errors.ToString());
        Assert.False(File.Exists(UnitFile));
        Assert.Empty(_calls);
    }

    [Theory]
    [InlineData("nosuch", 1, "dnsd: error: there is no user nosuch: \"useradd --system --user-group nosuch\" makes it")]
    [InlineData("nosuch", -1, null)]
    [InlineData("991", 1, null)]
    public void A_user_that_is_missing_is_refused_before_anything_is_written(
        string user, int exitCode, string? expected)
    {
        _failing = ("id", (exitCode, "no such user\n"));
        Assert.Equal(expected is null ? 0 : 1, Systemd().Install(Good with { User = user }, _output, _errors));
        Assert.Equal(expected ?? "", _errors.ToString().TrimEnd());
        Assert.Equal(expected is null, File.Exists(UnitFile));
        Assert.Equal(expected is null, Directory.Exists(Path.Combine(_folder.Root, "etc/dnsd")));
    }

    [Fact]
    public void What_systemctl_says_against_it_is_shown()
    {
        _failing = ("systemctl", (1, "Access denied\n"));
        Assert.Equal(1, Systemd().Install(Good, _output, _errors));
        Assert.Equal("dnsd: error: systemctl daemon-reload: Access denied", _errors.ToString().TrimEnd());
    }

    [Fact]
    public void Uninstalling_stops_it_and_leaves_the_settings()
    {
        SystemdService systemd = Systemd();
        systemd.Install(Good, _output, _errors);
        _calls.Clear();
        Assert.Equal(0, systemd.Uninstall(_output, _errors));
        Assert.Equal(["disable --now dnsd.service", "daemon-reload"], _calls);
        Assert.False(File.Exists(UnitFile));
        Assert.False(File.Exists(AccountFile));
        Assert.True(File.Exists(Path.Combine(_folder.Root, "etc/dnsd/dnsd.json")));
    }

    [Fact]
    public void Uninstalling_closes_the_sockets_that_would_start_it_again()
    {
        SystemdService systemd = Systemd();
        systemd.Install(Good, _output, _errors);
        _folder.Write("etc/systemd/system/dnsd.socket", "[Socket]\n");
        _calls.Clear();
        Assert.Equal(0, systemd.Uninstall(_output, _errors));
        Assert.Equal(["disable --now dnsd.socket", "disable --now dnsd.service", "daemon-reload"], _calls);
        Assert.True(File.Exists(Path.Combine(_folder.Root, "etc/systemd/system/dnsd.socket")));
    }

    [Theory]
    [InlineData(
        "LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=7\n" +
            "StatusText=Serving 1 zone\nResult=success\n",
        0, "dnsd is active (running), enabled|process 7|Serving 1 zone")]
    [InlineData(
        "LoadState=loaded\nActiveState=failed\nSubState=failed\nUnitFileState=enabled\nMainPID=0\nStatusText=\n" +
            "Result=exit-code\n",
        1, "dnsd is failed (failed), enabled|last result: exit-code; journalctl -u dnsd")]
    [InlineData("LoadState=not-found\nActiveState=inactive\n", 1, "dnsd is not installed as a service")]
    public void The_status_is_what_systemd_knows(string shown, int exitCode, string expected)
    {
        _answer = (0, shown);
        Assert.Equal(exitCode, Systemd().Status(_output, _errors));
        Assert.Equal(expected.Split('|'), _output.ToString().TrimEnd().Split(Environment.NewLine));
    }

    [Theory]
    [InlineData(null, "User=dnsd")]
    [InlineData(null, "Group=dnsd")]
    [InlineData("dns", "User=dns")]
    public void The_unit_runs_as_the_user_asked_for_with_one_capability(string? user, string line)
    {
        string[] lines = SystemdUnit.Text(Good with { User = user }).Split('\n');
        Assert.Contains(line, lines);
        Assert.Equal(user is null, lines.Contains("Group=dnsd"));
        Assert.Contains("CapabilityBoundingSet=CAP_NET_BIND_SERVICE", lines);
        Assert.Contains("ExecStart=/opt/dnsd/dnsd run --config /etc/dnsd/dnsd.json", lines);
        Assert.Contains("ExecReload=/opt/dnsd/dnsd reload", lines);
    }

    [Fact]
    public void A_path_with_odd_characters_stays_one_word_of_the_unit() =>
        Assert.Contains("ExecStart=\"/opt/my $$ \\\"dns\\\" 100%%/dnsd\" run",
            SystemdUnit.Text(Good with { Program = "/opt/my $ \"dns\" 100%/dnsd" }));
}
