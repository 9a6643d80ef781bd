using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>Files that not all users may read, included or linked to by those who may write zone files.</summary>
public sealed class PrivateFileTests : IDisposable
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>A word of each of these lines is in its diagnostic; that of the U-label as its A-label too.</summary>
    private const string Words =
        "PrivateKey: c2VjcmV0\nsecret1.other.test. A 192.0.2.1\nsecret2 CNAME a\nsecret2 TXT secret3\n"
        + "secret4 SOA secret5 secret6 1 2 3 4 5\n$INCLUDE secret7\n$INCLUDE /\n$ORIGIN secret8..\n"
        + "a 4294967295 A 192.0.2.1\nsecret9\u00C3\u00A4 A 192.0.2.1\nm MX 10 secret10\nn MX 1 192.0.2.1\n"
        + "secret11 DNAME a\nx.secret11 A 192.0.2.1\n$GENERATE 1-secret12 a A 192.0.2.1\n$SECRET13 x\n"
        + "secret14 DS 1 2 3 secret15\na CLASS4711 A 192.0.2.1\na A 192.0.2.1 secret16\n"
        + "$GENERATE 1-1 secret17 TXT \"\n@ SOA a secret18@secret19 1 2 3 4 5\n";

    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string WritePrivate(string name, string text)
    {
        string file = _folder.Write(name, text);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(file, Owner);
        return file;
    }

    private string Load(string file, bool ofCommand = false) => _folder.Describe(
        ZoneLoader.Load(DomainName.Parse("example.com"), file, ofCommand: ofCommand).Diagnostics);

    [Theory]
    [InlineData(Owner, false)]
    [InlineData(Owner | UnixFileMode.GroupRead, false)]
    [InlineData(Owner | UnixFileMode.GroupRead | UnixFileMode.OtherRead, true)]
    public void Words_of_a_file_that_not_all_may_read_are_shown_to_commands_on_it_alone(UnixFileMode mode, bool isShown)
    {
        if (OperatingSystem.IsWindows()) return;
        string key = _folder.Write("key", "PrivateKey: c2VjcmV0\n"), zone = _folder.Write("zone", "$INCLUDE key\n");
        File.SetUnixFileMode(key, mode);
        string ofCommand = Load(zone, ofCommand: true);
        Assert.Contains($"{key}:1:13: error: found \"c2VjcmV0\", expected ", ofCommand);
        Assert.Equal(isShown ? ofCommand : $"{key}:1:13: error: {DiagnosticLog.NotShown}", Load(zone));
    }

    [LinuxFact]
    public void No_diagnostic_in_an_included_private_file_repeats_a_word_of_it()
    {
        string words = WritePrivate("words", Words);
        AssertHidden(_folder.Write("zone", ZoneFolder.Start + "$INCLUDE words\n"), words);
    }

    [LinuxFact]
    public void No_diagnostic_in_a_private_file_behind_a_symlink_repeats_a_word_of_it()
    {
        string link = Path.Combine(_folder.Root, "link");
        File.CreateSymbolicLink(link, WritePrivate("target", ZoneFolder.Start + Words));
        AssertHidden(link, link);
    }

    private void AssertHidden(string zone, string words)
    {
        ZoneLoadResult all = ZoneLoader.Load(DomainName.Parse("example.com"), zone, ofCommand: true);
        string text = _folder.Describe(all.Diagnostics);
        foreach (string word in new[]
        {
            "secret1.other", "beside the CNAME at secret2", "SOA at secret4", "/secret7", "of /:", "secret8..",
            "4294967295", "xn--secret9", "found x.secret11", "secret12", "$SECRET13", "secret15", "4711", "secret16",
            "secret18@secret19", "found 192.0.2.1.example.com",
        })
            Assert.Contains(word, text);
        ZoneLoadResult hidden = ZoneLoader.Load(DomainName.Parse("example.com"), zone);
        Assert.Equal(
            all.Diagnostics.Select(one => one.File == words ? one with { Message = DiagnosticLog.NotShown } : one),
            hidden.Diagnostics);
        Assert.DoesNotContain("secret", _folder.Describe(hidden.Diagnostics), StringComparison.OrdinalIgnoreCase);
    }

    [LinuxFact]
    public void A_zone_file_that_is_no_symlink_shows_its_words_whatever_its_mode() =>
        Assert.Contains("found \"word\", expected ", Load(WritePrivate("zone", "a 1 word\n")));

    [LinuxFact]
    public void Files_that_a_private_file_includes_are_not_named()
    {
        _folder.Write("secret", "\n a 1 TXT \"b\nc\n");
        WritePrivate("middle", "\n$INCLUDE secret\n");
        string file = WritePrivate("private", "\n\n$INCLUDE middle\n");
        string lines = Load(_folder.Write("zone", "$INCLUDE private\n"));
        Assert.Contains($"{file}:3:10: error: {DiagnosticLog.NotShown}", lines);
        Assert.DoesNotContain("secret", lines);
        Assert.DoesNotContain("middle", lines);
    }

    [LinuxFact]
    public void A_gap_in_the_chain_does_not_name_owners_of_a_private_file()
    {
        WritePrivate("private", "secret NSEC @ A NSEC\n");
        string zone = _folder.Write("zone", ZoneFolder.Start + "@ NSEC z NS SOA NSEC\n$INCLUDE private\n");
        Assert.Contains("expected secret.example.com.", Load(zone, ofCommand: true));
        Assert.DoesNotContain("secret", Load(zone));
    }

    [LinuxFact]
    public void Words_of_a_private_file_that_is_gone_at_the_second_reading_are_not_shown_elsewhere()
    {
        string zone = _folder.Write("zone", ZoneFolder.Start);
        DiagnosticLog log = new();
        log.Hide("private");
        Assert.Equal($"2:1: error: {DiagnosticLog.NotShown}", Locate(zone, log));
    }

    [LinuxFact]
    public void A_file_that_is_private_at_the_second_reading_only_is_hidden()
    {
        string file = WritePrivate("private", "secret A 192.0.2.1\n");
        string zone = _folder.Write("zone", ZoneFolder.Start + "$INCLUDE private\n");
        Assert.Equal($"{file}:1:1: error: {DiagnosticLog.NotShown}", Locate(zone, new DiagnosticLog()));
        Assert.Equal($"{file}:1:1: error: secret", Locate(zone, new DiagnosticLog(showsAll: true)));
    }

    private string Locate(string zone, DiagnosticLog log)
    {
        NodeDiagnostics diagnostics = new();
        byte[] owner = DomainName.Parse("secret.example.com").Octets.ToArray();
        diagnostics.Error(NodeDiagnosticKind.FirstOfName, owner, 0, "secret");
        DiagnosticLocator.Locate(
            diagnostics, DomainName.Parse("example.com"), zone, new FileLocation(zone, 2, 1), log);
        return _folder.Describe(log.ToList());
    }
}
