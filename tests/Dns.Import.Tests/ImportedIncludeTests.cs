namespace Dns.Import.Tests;

/// <summary>Files of <c>$INCLUDE</c> that another server reads from its directory.</summary>
public sealed class ImportedIncludeTests : ImportTestBase
{
    private const string Bind = "options { directory \"etc\"; };\n" +
        "zone \"a.example\" { type primary; file \"zones/a.zone\"; };\n";

    private const string Flat = "options { directory \"etc\"; };\n" +
        "zone \"a.example\" { type primary; file \"a.zone\"; };\n";

    private const string Nsd = "server:\n  zonesdir: etc\nzone:\n  name: a.example\n  zonefile: zones/a.zone\n";

    private const string Unbound = "server:\n  directory: etc\nauth-zone:\n  name: a.example\n" +
        "  zonefile: zones/a.zone\n";

    private const string Knot = "template:\n  - id: default\n    storage: etc\nzone:\n  - domain: a.example\n" +
        "    file: zones/a.zone\n";

    private const string Both = "etc/b.inc etc/zones/b.inc", At = "etc/zones/a.zone:5";

    [Theory]
    [InlineData("named.conf", Bind, "$INCLUDE b.inc", Both, At, "etc/b.inc")]
    [InlineData("named.conf", Bind, "$INCLUDE b.inc\n$INCLUDE \"b\0.inc\"", Both, At, "etc/b.inc")]
    [InlineData("named.conf", Bind, "$include \"b.inc\"", Both, At, "etc/b.inc")]
    [InlineData("named.conf", Bind, "$INCLUDE b.inc", "etc/zones/b.inc", null, null)]
    [InlineData("named.conf", Bind, "$INCLUDE zones/b.inc;", "etc/zones/b.inc", At, "etc/zones/b.inc")]
    [InlineData("named.conf", Bind, "$INCLUDE /b.inc", Both, null, null)]
    [InlineData("named.conf", Bind, "w TXT $INCLUDE b.inc", Both, null, null)]
    [InlineData("named.conf", Bind, "$INCLUDE ./../zones/x.inc", "x.inc etc/zones/x.inc " + Both,
        "etc/zones/x.inc:2", "etc/b.inc")]
    [InlineData("named.conf", Flat, "$INCLUDE b.inc", Both, null, null)]
    [InlineData("nsd.conf", Nsd, "$INCLUDE b.inc", Both, At, "etc/b.inc")]
    [InlineData("unbound.conf", Unbound, "$INCLUDE b.inc", Both, At, "etc/b.inc")]
    [InlineData("knot.conf", Knot, "$INCLUDE b.inc", Both, null, null)]
    public void An_included_file_that_is_another_one_there_blocks_the_move(
        string name, string configuration, string directive, string included, string? at, string? there)
    {
        foreach (string zone in (string[])["etc/a.zone", "etc/zones/a.zone"])
            Folder.Write(zone, $"$TTL 1h\n@ SOA ns1 h 1 2h 15m 2w 5m\n@ NS ns1\nns1 A 192.0.2.1\n{directive}\n");
        foreach (string file in included.Split(' '))
            Folder.Write(file, file.EndsWith("x.inc") ? "x A 192.0.2.3\n$INCLUDE b.inc\n" : "b A 192.0.2.2\n");
        var (_, _, imported) = Import(name, configuration.Replace("storage: etc", $"storage: {Folder.Root}/etc"));
        ImportedZoneChecks.Run(imported, Folder.Root);
        string[] notes = [.. imported.Diagnostics.Entries.Select(entry => Short(entry.ToString()))
            .Where(note => note.Contains("$INCLUDE: it is"))];
        Assert.Equal(at is null ? [] : [$"{at}: zone a.example: {there}: blocks the move: $INCLUDE: it is read " +
            "there; here a relative name is looked for beside its file: write the whole path"], notes);
    }
}
