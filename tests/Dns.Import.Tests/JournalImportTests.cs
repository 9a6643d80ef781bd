namespace Dns.Import.Tests;

/// <summary>Changes that another server keeps in a journal, and its zone file lacks.</summary>
public sealed class JournalImportTests : ImportTestBase
{
    [Theory]
    [InlineData("type primary; file \"a.db\";", "zones/a.db.jnl", "zones/a.db.jnl")]
    [InlineData("type primary; file \"a.db\"; journal \"j/a\";", "zones/j/a", "zones/j/a")]
    [InlineData("type primary; file \"a.db\"; journal \"j/a\";", "zones/a.db.jnl", null)]
    [InlineData("type primary; file \"a.db\";", "zones/b.db.jnl", null)]
    [InlineData("type secondary; primaries { 192.0.2.9; }; file \"a.db\";", "zones/a.db.jnl", null)]
    public void A_journal_of_a_primary_zone_of_bind_blocks_the_move(string zone, string journal, string? named)
    {
        Folder.Write(journal, "");
        var (_, notes, imported) = Import("named.conf",
            "options { directory \"zones\"; };\nzone \"a.example\" { " + zone + " };\n", "bind");
        Assert.Equal(named is null ? [] : [
            $"named.conf:2: zone a.example: {named}: blocks the move: its journal may have changes that its file " +
                "lacks: \"rndc sync -clean ZONE\" writes them into it",
        ], notes.Where(note => note.Contains("rndc")));
        Assert.Equal(named is not null, imported.Diagnostics.IsBlocked);
    }

    private const string Unwritten = "blocks the move: zonefile-sync: changes may be in the journal only: " +
        "\"knotc -f zone-flush ZONE\" writes them into the file";

    private const string Older = "changes behaviour: zonefile-sync: the file may be older than the zone: " +
        "\"knotc zone-flush ZONE\" writes it";

    private const string Read = "changes behaviour: zonefile-load: the file is read here";

    private const string Serial = "changes behaviour: zonefile-load: the serial of the file is served: it has to be " +
        "above the one that Knot DNS has given";

    [Theory]
    [InlineData("zonefile-sync: -1", Unwritten)]
    [InlineData("zonefile-sync: -1\n    zonefile-load: whole", Unwritten)]
    [InlineData("zonefile-sync: -1\n    zonefile-load: none", $"{Unwritten}|{Read}")]
    [InlineData("zonefile-sync: -1\n    zonefile-load: difference", "")]
    [InlineData("zonefile-sync: -1\n    zonefile-load: difference\n    acl: u", Unwritten)]
    [InlineData("zonefile-sync: -1\n    zonefile-load: difference\n    acl: [d, u]", Unwritten)]
    [InlineData("zonefile-load: difference-no-serial", Serial)]
    [InlineData("zonefile-sync: 1", Older)]
    [InlineData("zonefile-sync: 1d\n    zonefile-load: difference", Older)]
    [InlineData("zonefile-sync: 0", "")]
    [InlineData("zonefile-sync: -1\n    zonefile-load: none\n    master: r", "")]
    public void A_file_of_knot_that_may_lack_changes_is_reported(string members, string expected)
    {
        string[] head = ["remote:", "  - id: r", "    address: 192.0.2.9", "acl:", "  - id: u",
            "    address: 192.0.2.8", "    action: update", "  - id: d", "    address: 192.0.2.7", "    deny: on"];
        foreach (bool isOfTemplate in new[] { false, true })
        {
            string text = string.Join('\n', [.. head, .. isOfTemplate
                ? (string[])["template:", "  - id: default", "    " + members, "zone:", "  - domain: a.example"]
                : ["zone:", "  - domain: a.example", "    " + members]]);
            var (_, notes, imported) = Import("knot.conf", text + "\n", "knot");
            Assert.Equal(expected, string.Join('|', notes.Where(note => note.Contains("zonefile"))
                .Where(note => !note.Contains("limits and times of their own"))
                .Select(note => note[(note.IndexOf("a.example: ", StringComparison.Ordinal) + 11)..])));
            Assert.Equal(expected.Contains("blocks"), imported.Diagnostics.IsBlocked);
        }
    }
}
