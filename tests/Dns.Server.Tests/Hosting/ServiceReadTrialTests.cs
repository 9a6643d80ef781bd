using Dns.Testing;

namespace Dns.Server.Tests.Hosting;

/// <summary>What root can read, and the user of the service cannot.</summary>
public sealed class ServiceReadTrialTests : IDisposable
{
    private const string Zone = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";

    private readonly SettingsFolder _folder = new();
    private readonly List<string[]> _trials = [];
    private string _unit = "User=dnsd\nGroup=dnsd\nSupplementaryGroups=\nDynamicUser=no\n";
    private int _exitCode;

    public void Dispose() => _folder.Dispose();

    private string File => Path.Combine(_folder.Root, "dnsd.json");

    private string Secret => Path.Combine(_folder.Root, "k1.secret");

    /// <summary>A service for whose user nothing is readable.</summary>
    private ServiceReadTrial Trial(string? config = null) => new((program, arguments) =>
    {
        if (program == "systemctl")
            return (_exitCode, $"ExecStart={{ argv[]=/x/dnsd run --config {config ?? File} ; }}\n{_unit}");
        _trials.Add(arguments[3..]);
        return (_exitCode, string.Join('\n', arguments[5..]) + "\n");
    });

    private static ZoneFile ZoneOf(string path) =>
        new(DomainName.Parse("z.example."), Path.GetDirectoryName(path)!, Path.GetFileName(path));

    private Settings Read(string secretFile = "k1.secret")
    {
        _folder.Write("a.zone", Zone);
        _folder.Write("k1.secret", "c2VjcmV0LW9mLXRoaXMtcGFnZS1kcmF3LXlvdXItb3duIQ==");
        return SettingsReader.Read(new SettingsArguments
        {
            ConfigFile = _folder.Write("dnsd.json", $$"""
                { "Dns": {
                    "TsigKeys": [ { "Name": "k1.", "Algorithm": "hmac-sha256", "SecretFile": "{{secretFile}}" } ] } }
                """),
        }, new System.Collections.Hashtable());
    }

    [LinuxFact]
    public void Settings_and_files_of_secrets_that_the_service_cannot_read_are_errors_with_their_place()
    {
        Assert.Equal(
            [
                $"{File}:1:1: error: {File} cannot be read by user dnsd of the service: expected mode 640 and the "
                    + $"group of that user (chgrp dnsd {File}; chmod 640 {File})",
                $"{File}:2:64: error: {Secret} cannot be read by user dnsd of the service: expected mode 640 and the "
                    + $"group of that user (chgrp dnsd {Secret}; chmod 640 {Secret})",
            ], Trial().Find(Read()).Select(problem => problem.ToString()));
        Assert.Equal(["dnsd", "dnsd", File, Secret], Assert.Single(_trials));
    }

    [LinuxFact]
    public void A_directory_of_zones_that_the_service_cannot_read_is_an_error_with_its_place()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder.Root, "zones")).FullName;
        Settings settings = SettingsReader.Read(new SettingsArguments
        {
            ConfigFile = _folder.Write("dnsd.json", """{ "Dns": { "Zones": [ { "Directory": "zones" } ] } }"""),
        }, new System.Collections.Hashtable());
        Assert.Equal(
            $"{File}:1:23: error: {folder} cannot be read by user dnsd of the service: expected mode 750 and the group "
                + $"of that user (chgrp dnsd {folder}; chmod 750 {folder})",
            Trial().Find(settings).Last().ToString());
    }

    [LinuxFact]
    public void Zone_files_are_tried_in_portions()
    {
        Settings settings = Read();
        ZoneFile[] zones =
        [
            .. Enumerable.Range(0, 801).Select(
                number => ZoneOf(_folder.Write($"z{number}.zone", Zone))),
        ];
        string[] lines = [.. Trial().FindZones(settings, zones)];
        Assert.Equal(801, lines.Length);
        Assert.Equal($"{zones[800].Path}: warning: user dnsd of the service cannot read it", lines[800]);
        Assert.Equal([402, 402, 3], _trials.Select(words => words.Length));
    }

    [LinuxFact]
    public void A_dynamic_user_has_the_rights_of_others()
    {
        _unit = "User=dnsd\nGroup=\nDynamicUser=yes\n";
        Assert.Equal(2, Trial().Find(Read()).Count());
        Assert.Equal(["65534", "65534"], Assert.Single(_trials)[..2]);
    }

    [LinuxTheory]
    [InlineData("User=\nGroup=\n", null, 0)]
    [InlineData("User=dnsd\nSupplementaryGroups=secrets\n", null, 0)]
    [InlineData("User=dnsd\n", "/etc/other.json", 0)]
    [InlineData("User=dnsd\n", null, 1)]
    public void Nothing_is_reported_where_it_is_not_known_what_the_service_reads(
        string unit, string? config, int exitCode)
    {
        (_unit, _exitCode) = (unit, exitCode);
        Assert.Empty(Trial(config).Find(Read()));
        Assert.Empty(_trials);
    }

    [LinuxFact]
    public void Files_that_are_missing_have_an_error_of_their_own()
    {
        Settings settings = Read();
        System.IO.File.Delete(Secret);
        Assert.Single(Trial().Find(settings));
        Assert.NotEmpty(Read("none").Problems);
        Assert.Empty(Trial().Find(Read("none")));
    }

    [LinuxFact(NeedsRoot = true)]
    public void The_shell_tries_with_the_rights_of_the_user()
    {
        if (OperatingSystem.IsWindows()) return;
        for (string? above = _folder.Root; (above = Path.GetDirectoryName(above)) is not null;)
            Assert.SkipUnless(System.IO.File.GetUnixFileMode(above).HasFlag(UnixFileMode.OtherExecute),
                $"{above} keeps other users out");
        Settings settings = Read();
        ServiceReadTrial trial = new((program, arguments) =>
            program == "systemctl" ? (0, $"User=nobody\nExecStart=/x --config {File} ;\n")
                : ExternalProgram.Run(program, arguments));
        System.IO.File.SetUnixFileMode(_folder.Root, (UnixFileMode)Convert.ToInt32("755", 8));
        System.IO.File.SetUnixFileMode(File, UnixFileMode.UserRead);
        System.IO.File.SetUnixFileMode(Secret, UnixFileMode.UserRead | UnixFileMode.OtherRead);
        Assert.StartsWith($"{File} cannot be read by user nobody", Assert.Single(trial.Find(settings)).Message);
        string folder = Directory.CreateDirectory(Path.Combine(_folder.Root, "zones")).FullName;
        settings = SettingsReader.Read(new SettingsArguments
        {
            ConfigFile = _folder.Write("dnsd.json", """{ "Dns": { "Zones": [ { "Directory": "zones" } ] } }"""),
        }, new System.Collections.Hashtable());
        System.IO.File.SetUnixFileMode(File, UnixFileMode.UserRead | UnixFileMode.OtherRead);
        foreach (var (mode, isRefused) in new[] { ("755", false), ("754", true), ("751", true) })
        {
            System.IO.File.SetUnixFileMode(folder, (UnixFileMode)Convert.ToInt32(mode, 8));
            Assert.Equal(isRefused, trial.Find(settings).Any(problem => problem.Message.StartsWith(folder)));
        }
    }
}
