using System.Diagnostics;
using System.Text;
using Dns.Testing;

namespace Dns.Import.Tests;

/// <summary>Configurations that are large, or that lead to files which never end.</summary>
public sealed class LargeImportTests : ImportTestBase
{
    private const string Endless = "it is a pipe, a device or a directory and not a regular file";

    [Theory]
    [InlineData("acl", "192.0.2.1", "type primary; file \"a\"; allow-query { a0; }; allow-transfer { none; }",
        "named.conf:17: blocks the move: allow-query: too large: it is not translated")]
    [InlineData("acl", "192.0.2.1", "type primary; file \"a\"; allow-query { any; }; allow-transfer { a0; }",
        "named.conf:17: zone a.example: blocks the move: allow-transfer: too large: it is not translated")]
    [InlineData("acl", "key k1", "type primary; file \"a\"; allow-query { any; }; allow-transfer { !a0; any; }",
        "named.conf:17: zone a.example: blocks the move: allow-transfer: too large: it is not translated")]
    [InlineData("primaries", "192.0.2.1", "type secondary; primaries { a0; }",
        "named.conf:17: zone a.example: blocks the move: primaries: too large: it is not translated")]
    public async Task Lists_that_name_others_many_times_block_the_move(
        string kind, string last, string zone, string expected)
    {
        StringBuilder text = new();
        for (int i = 0; i < 15; i++)
            text.AppendLine($"{kind} a{i} {{ a{i + 1}; a{i + 1}; a{i + 1}; a{i + 1}; }};");
        text.AppendLine($"{kind} a15 {{ {last}; }};").AppendLine($"zone \"a.example\" {{ {zone}; }};");
        var (_, notes, imported) =
            await Task.Run(() => Import("named.conf", text.ToString())).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Contains(notes, note => note.StartsWith(expected, StringComparison.Ordinal));
        Assert.DoesNotContain("any", string.Concat(imported.Zones.SelectMany(one => one.Clients ?? ["none"])));
    }

    [Fact]
    public void A_list_of_many_elements_is_translated()
    {
        string networks = string.Concat(Enumerable.Range(0, 50_000).Select(i => $"10.{i >> 8}.{i & 255}.0/24; "));
        var (_, _, imported) = Import("named.conf",
            $"acl a {{ !10.0.0.1; {networks}}};\nzone \"a.example\" {{ type primary; file \"a\"; allow-query {{ a; }}; }};");
        // Of the first network all addresses but one are listed.
        Assert.Equal(50_000 + 7, imported.Zones[0].Clients!.Count);
    }

    [Theory]
    [InlineData("named.conf",
        "zone \"a.example\" { type primary; file \"a\"; allow-query { !10.0.0.0; any; }; };", " !{0};",
        "named.conf:1: blocks the move: allow-query: too large: any is not translated, nor what follows it")]
    [InlineData("nsd.conf",
        "zone:\n name: a.example\n zonefile: a\n allow-query: 0.0.0.0/0 NOKEY\n allow-query: 10.0.0.0 BLOCKED\n",
        " allow-query: {0} BLOCKED\n",
        "nsd.conf:4: blocks the move: allow-query: too large: its networks are left out")]
    [InlineData("nsd.conf",
        "zone:\n name: a.example\n zonefile: a\n provide-xfr: 0.0.0.0/0 NOKEY\n provide-xfr: 10.0.0.0 BLOCKED\n",
        " provide-xfr: {0} BLOCKED\n",
        "nsd.conf:4: blocks the move: provide-xfr: too large: its networks are left out")]
    [InlineData("unbound.conf", "server:\n access-control: 10.0.0.0 allow\n\nforward-zone:\n name: .\n" +
        " forward-addr: 192.0.2.53\n", " access-control: {0} allow\n",
        "unbound.conf:10003: blocks the move: access-control: too large: its networks are left out")]
    public void More_networks_than_are_compared_block_the_move(
        string name, string text, string element, string expected)
    {
        int at = text.IndexOf("10.0.0.0", StringComparison.Ordinal);
        at = text.IndexOfAny(['\n', ';'], at) + 1;
        string many = string.Concat(Enumerable.Range(1, 10_001)
            .Select(i => element.Replace("{0}", $"10.{i >> 12}.{i >> 4 & 255}.{(i & 15) << 4}")));
        var (_, notes, _) = Import(name, text.Insert(at, many));
        Assert.Contains(notes, note => note.StartsWith(expected, StringComparison.Ordinal));
    }

    [Fact]
    public void Blocks_of_one_statement_are_read_in_linear_time()
    {
        string blocks = string.Concat(Enumerable.Repeat("{ a; } ", 20_000));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Translate("named.conf", $"controls {{ inet * allow {blocks}; }};\n");
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 100_000_000);
    }

    [Fact]
    public void Local_data_of_one_zone_is_translated_in_linear_time()
    {
        string data = string.Concat(Enumerable.Range(0, 50_000)
            .Select(i => $" local-data: \"n{i:x8}.lan.example. A 192.0.2.1\"\n"));
        string text = $"server:\n local-zone: lan.example. static\n{data}";
        TimeSpan took = ProcessorTime.Of(() => Translate("unbound.conf", text, zoneFolder: "zones"));
        Assert.InRange(took, TimeSpan.Zero, TimeSpan.FromSeconds(5));
    }

    [Fact]
    public async Task Zone_files_of_long_names_are_written()
    {
        string name = string.Join('.', Enumerable.Repeat(new string('a', 62), 4));
        string file = Folder.Write("unbound.conf", $"server:\n local-data: \"{name}. A 192.0.2.1\"\n");
        using StringWriter output = new(), errors = new();
        await DnsdCommand.InvokeAsync(["import", file, "-o", Path.Combine(Folder.Root, "new.json")], output, errors);
        Assert.DoesNotContain("dnsd: error", errors.ToString());
        Assert.Contains($"{name}. A 192.0.2.1", File.ReadAllText(
            Assert.Single(Directory.GetFiles(Path.Combine(Folder.Root, "new.local-zones")))));
    }

    [LinuxTheory]
    [InlineData("/dev/zero", Endless)]
    [InlineData("pipe", Endless)]
    [InlineData("large", "more than 1000 files or 64 MB")]
    public async Task Only_regular_files_are_read_and_only_so_much_of_them(string included, string why)
    {
        Process.Start("mkfifo", [Path.Combine(Folder.Root, "pipe")]).WaitForExit();
        using (FileStream large = File.Create(Path.Combine(Folder.Root, "large"))) large.SetLength(64 << 20);
        string text = $"include \"{included}\";\nzone \"a.example\" {{ type primary; file \"a\"; }};\n";
        var (options, notes, _) =
            await Task.Run(() => Import("named.conf", text)).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Contains($"named.conf:1: blocks the move: cannot read {included}: {why} (the importer cannot)", notes);
        Assert.Equal(["a.example. a"], Zones(options));
    }

    [Theory]
    [InlineData("named.conf", "include \"a\0b\";\n")]
    [InlineData("named.conf", "zone \"a.example\" { type primary; file \"a\0b\"; };\n")]
    [InlineData("nsd.conf", "include: \"a\0b\"\n")]
    [InlineData("unbound.conf", "auth-zone:\n name: a.example\n zonefile: \"a\0b\"\n")]
    [InlineData("knot.conf", "include: \"a\0b\"\n")]
    public void A_file_with_a_nul_octet_is_no_configuration(string name, string text)
    {
        var (_, notes, imported) = Import(name, text, name.Split('.')[0].Replace("named", "bind"));
        Assert.Contains($"{name}: error: it has a NUL octet: it is no configuration", notes);
        Assert.True(imported.Diagnostics.IsBroken);
    }

    [Fact]
    public async Task An_import_that_fails_leaves_no_settings()
    {
        string file = Folder.Write("unbound.conf", "server:\n local-data: \"a.example. A 192.0.2.1\"\n");
        string obstacle = Folder.Write("new.local-zones", ""), target = Path.Combine(Folder.Root, "new.json");
        using StringWriter output = new(), errors = new();
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", file, "-o", target], output, errors));
        Assert.False(File.Exists(target));
        File.Delete(obstacle);
        Assert.NotEqual(1, await DnsdCommand.InvokeAsync(["import", file, "-o", target], output, errors));
    }
}
