namespace Dns.Replication.Tests;

/// <summary>Which catalog a zone is a member of (RFC 9432 §4.4.1, §5).</summary>
[Trait("RFC", "9432")]
public sealed class CatalogMembersTests : CatalogTestBase
{
    private readonly CatalogMembers _members;

    public CatalogMembersTests()
    {
        _members = new CatalogMembers(this);
        _members.Use([Name("one.test"), Name("two.test")]);
    }

    private string Now => string.Join(' ',
        _members.Claims.Select(claim => $"{claim.Member.Zone}@{claim.Catalog}").Order(StringComparer.Ordinal));

    private bool Take(string catalog, string records, string version = "\"2\"") =>
        _members.Take(Name(catalog), Catalog(catalog, records, version));

    [Fact]
    public void Members_come_and_go_with_the_versions_of_a_catalog()
    {
        Assert.True(Take("one.test", "a.zones PTR a.\nb.zones PTR b."));
        Assert.False(Take("one.test", "a.zones PTR a.\nb.zones PTR b."));
        Assert.True(Take("one.test", "b.zones PTR b.\nc.zones PTR c."));
        Assert.Equal("b.@one.test. c.@one.test.", Now);
        Assert.Equal(["one.test. +2 -0 ~0", "one.test. +1 -1 ~0"], Told);
    }

    [Fact]
    public void A_broken_version_changes_nothing()
    {
        Take("one.test", "a.zones PTR a.");
        Assert.False(Take("one.test", "", version: "\"3\""));
        Assert.Equal("a.@one.test.", Now);
        Assert.Contains("one.test. broken: its version is not \"2\", the only one that is known here", Told);
    }

    [Fact]
    public void Another_id_resets_a_member()
    {
        Take("one.test", "a.zones PTR a.\nb.zones PTR b.");
        Assert.Empty(_members.TakeResets());
        Assert.True(Take("one.test", "a2.zones PTR a.\nb.zones PTR b."));
        Assert.Equal([Name("a")], _members.TakeResets());
        Assert.Empty(_members.TakeResets());
    }

    [Fact]
    public void The_catalog_that_has_a_zone_keeps_it()
    {
        Take("two.test", "x.zones PTR a.");
        Take("one.test", "y.zones PTR a.");
        Assert.Equal("a.@two.test.", Now);
        Assert.Contains("one.test. conflict a.: it is a member of two.test.", Told);
        Assert.True(Take("two.test", ""));
        Assert.Equal("a.@one.test.", Now);
    }

    [Fact]
    public void A_conflict_is_told_once()
    {
        Take("two.test", "x.zones PTR a.");
        Take("one.test", "y.zones PTR a.");
        Take("one.test", "y.zones PTR a.\nz.zones PTR z.");
        Assert.Single(Told, line => line.Contains("conflict"));
    }

    [Theory]
    [InlineData("x", 0)]
    [InlineData("y", 1)]
    public void A_zone_changes_its_owner_where_the_owner_says_so_and_keeps_its_state_with_its_id(string id, int resets)
    {
        Take("one.test", "x.zones PTR a.");
        Assert.True(Take("one.test", "x.zones PTR a.\ncoo.x.zones PTR two.test.") is false);
        Assert.True(Take("two.test", $"{id}.zones PTR a."));
        Assert.Equal("a.@two.test.", Now);
        Assert.Equal(resets, _members.TakeResets().Count);
        Assert.DoesNotContain(Told, line => line.Contains("conflict"));
        Take("one.test", "");
        Assert.Equal("a.@two.test.", Now);
    }

    public static TheoryData<string> Orders =>
        [.. from a in Three from b in Three from c in Three where a != b && b != c && a != c select $"{a} {b} {c}"];

    private static string[] Three => ["old.test", "next.test", "thief.test"];

    [Theory]
    [MemberData(nameof(Orders))]
    public void A_third_catalog_does_not_come_between_an_owner_and_the_one_that_it_names(string order)
    {
        _members.Use([.. order.Split(' ').Select(Name)]);
        Take("old.test", "x.zones PTR a.");
        Take("next.test", "x.zones PTR a.");
        Take("thief.test", "x.zones PTR a.\ncoo.x.zones PTR thief.test.");
        Assert.Equal("a.@old.test.", Now);
        Take("old.test", "x.zones PTR a.\ncoo.x.zones PTR next.test.");
        Assert.Equal("a.@next.test.", Now);
        Take("old.test", "");
        Assert.Equal("a.@next.test.", Now);
        Assert.DoesNotContain(Told, line => line.StartsWith("old.test. conflict", StringComparison.Ordinal));
        Take("next.test", "");
        Assert.Equal("a.@thief.test.", Now);
    }

    [Fact]
    public void Catalogs_that_name_each_other_as_owner_change_nothing_and_a_chain_is_followed()
    {
        _members.Use([Name("one.test"), Name("two.test"), Name("three.test")]);
        Take("one.test", "x.zones PTR a.\ncoo.x.zones PTR two.test.");
        Take("two.test", "x.zones PTR a.\ncoo.x.zones PTR one.test.");
        for (int i = 0; i < 3; i++)
        {
            Take("three.test", $"x{i}.zones PTR a.");
            Assert.Equal("a.@one.test.", Now);
        }
        Take("two.test", "x.zones PTR a.\ncoo.x.zones PTR three.test.");
        Assert.Equal("a.@three.test.", Now);
    }

    [Fact]
    public void Members_go_with_a_catalog_that_is_no_longer_consumed()
    {
        Take("one.test", "a.zones PTR a.");
        Take("two.test", "b.zones PTR b.");
        Assert.True(_members.Use([Name("two.test")]));
        Assert.Equal("b.@two.test.", Now);
        Assert.False(Take("one.test", "a.zones PTR a."));
    }

    [Fact]
    public void The_members_of_all_catalogs_together_have_a_bound()
    {
        CatalogMembers members = new(this, most: 3);
        members.Use([Name("one.test"), Name("two.test")]);
        members.Take(Name("one.test"), Catalog("one.test", "a.zones PTR a.\nb.zones PTR b."));
        members.Take(Name("two.test"), Catalog("two.test", "c.zones PTR c.\nd.zones PTR d."));
        Assert.Equal(2, members.Claims.Count);
        Assert.Contains("two.test. broken: it has more than 1 members, for which there is not enough memory", Told);
        members.Take(Name("one.test"), Catalog("one.test", "a.zones PTR a.\nb.zones PTR b.\nc.zones PTR c."));
        Assert.Equal(3, members.Claims.Count);
    }

    [Fact]
    public void Another_group_is_a_change()
    {
        Take("one.test", "a.zones PTR a.");
        Assert.True(Take("one.test", "a.zones PTR a.\ngroup.a.zones TXT g1"));
        Assert.Equal("g1", Assert.Single(Assert.Single(_members.Claims).Member.Groups));
        Assert.Empty(_members.TakeResets());
    }
}
