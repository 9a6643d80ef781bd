namespace Dns.Replication.Tests;

/// <summary>Which catalog has a member after a restart (RFC 9432 §4.4.1, §5.4).</summary>
[Trait("RFC", "9432")]
public sealed class CatalogOwnershipTests : CatalogTestBase
{
    private readonly Copies _copies = new();
    private CatalogMembers _members;

    public CatalogOwnershipTests() => _members = Start("one.test", "two.test");

    private CatalogMembers Start(params string[] catalogs)
    {
        CatalogMembers members = new(this);
        members.Use([.. catalogs.Select(Name)]);
        return members;
    }

    /// <summary>The next process; true if it leaves a catalog out.</summary>
    private bool Restart(params string[] catalogs)
    {
        new CatalogOwnership(_copies).Save(_members.Claims);
        _members = Start(catalogs);
        bool isLess = _members.Restore(new CatalogOwnership(_copies).Load(out CopyDamage? damage));
        Assert.Null(damage);
        Told.Clear();
        return isLess;
    }

    private bool Take(string catalog, string records) => _members.Take(Name(catalog), Catalog(catalog, records));

    private string? OwnerOf(string zone) => _members.Find(Name(zone))?.Catalog.ToString();

    [Fact]
    public void Owners_ids_and_groups_survive_a_restart()
    {
        Take("one.test", """
            I\1951.zones PTR a.b.test.
            group.i\1951.zones TXT "g" "1"
            group.i\1951.zones TXT g2
            """);
        Take("two.test", "x.zones PTR .\ny.zones PTR *.a.b.test.");
        string before = Text(_members.Claims.Select(claim => claim.Member));
        Assert.False(Restart("one.test", "two.test"));
        Assert.Equal(before, Text(_members.Claims.Select(claim => claim.Member)));
        Assert.Equal(("one.test.", "two.test."), (OwnerOf("a.b.test"), OwnerOf(".")));
        Assert.False(Take("two.test", "x.zones PTR .\ny.zones PTR *.a.b.test."));
        Assert.Empty(Told);
        Assert.Empty(_members.TakeResets());
    }

    [Theory]
    [InlineData("one.test", "two.test")]
    [InlineData("two.test", "one.test")]
    public void The_owner_keeps_a_zone_over_a_restart_in_any_order_and_without_a_version(string first, string second)
    {
        Take("one.test", "x.zones PTR a.");
        Restart(first, second);
        Assert.Equal("one.test.", OwnerOf("a"));
        Take("two.test", "y.zones PTR a.");
        Assert.Equal("one.test.", OwnerOf("a"));
        Take("one.test", "x.zones PTR a.");
        Assert.Equal("one.test.", OwnerOf("a"));
        Assert.Equal(["two.test. conflict a.: it is a member of one.test."], Told);
        Take("one.test", "");
        Assert.Equal("two.test.", OwnerOf("a"));
    }

    [Fact]
    public void An_owner_that_names_another_one_while_the_server_is_down_is_followed()
    {
        Take("one.test", "x.zones PTR a.");
        Restart("one.test", "two.test");
        Take("two.test", "x.zones PTR a.");
        Assert.Equal("one.test.", OwnerOf("a"));
        Take("one.test", "x.zones PTR a.\ncoo.x.zones PTR two.test.");
        Assert.Equal("two.test.", OwnerOf("a"));
        Restart("one.test", "two.test");
        Take("one.test", "x.zones PTR a.\ncoo.x.zones PTR two.test.");
        Assert.Equal("two.test.", OwnerOf("a"));
        Assert.Empty(_members.TakeResets());
    }

    [Fact]
    public void An_id_that_changes_while_the_server_is_down_resets_the_member()
    {
        Take("one.test", "x.zones PTR a.\ny.zones PTR b.");
        Restart("one.test", "two.test");
        Assert.True(Take("one.test", "x2.zones PTR a.\ny.zones PTR b."));
        Assert.Equal([Name("a")], _members.TakeResets());
    }

    [Fact]
    public void A_catalog_that_is_not_consumed_any_more_has_no_members_after_a_restart()
    {
        Take("one.test", "x.zones PTR a.");
        Take("two.test", "x.zones PTR b.");
        Assert.True(Restart("two.test"));
        Assert.Equal((null, "two.test."), (OwnerOf("a"), OwnerOf("b")));
        Assert.True(Take("two.test", "x.zones PTR b.\ny.zones PTR a."));
        Assert.Equal("two.test.", OwnerOf("a"));
    }

    [Fact]
    public void No_more_members_are_loaded_than_there_is_memory_for()
    {
        Take("one.test", "x.zones PTR a.\ny.zones PTR b.");
        new CatalogOwnership(_copies).Save(_members.Claims);
        Assert.Equal(2, new CatalogOwnership(_copies, most: 2).Load(out _)[Name("one.test")].Count);
        Assert.Empty(new CatalogOwnership(_copies, most: 1).Load(out CopyDamage? damage));
        Assert.Equal("more than 1 members are stored, for which there is not enough memory", $"{damage}");
    }

    [Fact]
    public void Members_with_names_of_many_labels_take_no_more_names_than_others()
    {
        string deep = string.Concat(Enumerable.Repeat("a.", 120));
        Take("one.test", string.Concat(Enumerable.Range(0, 200).Select(i => $"x{i}.zones PTR {deep}n{i}.\n")));
        new CatalogOwnership(_copies).Save(_members.Claims);
        Assert.Equal(200, new CatalogOwnership(_copies).Load(out _)[Name("one.test")].Count);
        Assert.True(_copies.TryLoad(DomainName.Root, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
        Assert.Equal(201, copy.Zone.NameCount);
        Assert.InRange(copy.Zone.MemoryBytes, 1, 200 * 512);
    }

    [Fact]
    public void Groups_that_do_not_fit_are_left_out()
    {
        string[] groups = [new('g', 256), new('h', 255), .. Enumerable.Range(100, 100).Select(i => $"i{i}")];
        CatalogMember member = new("x", Name("a")) { Groups = groups };
        new CatalogOwnership(_copies).Save([new CatalogClaim(Name("one.test"), member)]);
        CatalogMember loaded = Assert.Single(new CatalogOwnership(_copies).Load(out _)[Name("one.test")]);
        Assert.Equal(groups[1..101], loaded.Groups);
    }

    [Fact]
    public void Nothing_is_restored_without_a_stored_version()
    {
        Assert.Empty(new CatalogOwnership(_copies).Load(out CopyDamage? damage));
        Assert.Null(damage);
    }
}
