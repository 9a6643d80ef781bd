namespace Dns.Replication.Tests;

/// <summary>What a catalog zone lists, and when it is broken (RFC 9432 §4, §5.1).</summary>
[Trait("RFC", "9432")]
public sealed class CatalogContentTests : CatalogTestBase
{
    [Fact]
    public void Members_have_their_ids_groups_and_new_owners()
    {
        CatalogContent content = CatalogContent.Read(Catalog("catalog.test", """
            id1.zones PTR a.test.
            group.id1.zones TXT "blue"
            group.id1.zones TXT "a" "b"
            coo.id1.zones PTR other.test.
            ID2.zones PTR B.test.
            prop.id2.zones TXT "unknown"
            owner.ext.id2.zones TXT "unknown"
            ext TXT "unknown"
            """), out CatalogFault? fault)!;
        Assert.Null(fault);
        Assert.Equal("id1=a.test./ab/blue id2=b.test.", Text(content.Members).ToLowerInvariant());
        Assert.Equal(Name("other.test"), content.Members.Single(member => member.Id == "id1").NewOwner);
    }

    [Fact]
    public void Properties_without_a_member_are_left_aside() =>
        Assert.Empty(CatalogContent.Read(
            Catalog("catalog.test", "group.id1.zones TXT \"x\"\ncoo.id1.zones PTR b.test."), out _)!.Members);

    [Theory]
    [InlineData("\"1\"", "", "its version is not \"2\", the only one that is known here")]
    [InlineData("\"2\" \"2\"", "", "its version is not \"2\", the only one that is known here")]
    [InlineData("\"2\"\nversion TXT \"1\"", "", "its version is not \"2\", the only one that is known here")]
    [InlineData("\"2\"", "id1.zones PTR a.test.\nid1.zones PTR b.test.",
        "id1.zones.catalog.test. has 2 PTR records, expected one")]
    [InlineData("\"2\"", "a\\010b.zones PTR a.test.\na\\010b.zones PTR b.test.",
        "a\\010b.zones.catalog.test. has 2 PTR records, expected one")]
    [InlineData("\"2\"", "id1.zones PTR a.test.\nid2.zones PTR A.test.", "zone ")]
    [InlineData("\"2\"", "id1.zones PTR a.test.\ncoo.id1.zones PTR b.\ncoo.id1.zones PTR c.",
        "coo.id1.zones.catalog.test. has 2 PTR records, expected one")]
    public void A_broken_catalog_is_not_processed(string version, string records, string expected)
    {
        Assert.Null(CatalogContent.Read(Catalog("catalog.test", records, version), out CatalogFault? fault));
        Assert.StartsWith(expected, $"{fault}");
    }

    [Fact]
    public void A_zone_without_a_version_is_no_catalog()
    {
        Assert
            .Null(
                CatalogContent.Read(Dns.Testing.ZoneText.Load("catalog.test",
                    "@ 0 SOA . . 1 1 1 1 1\n@ 0 NS invalid.\n"), out CatalogFault? fault));
        Assert.StartsWith("it has no version record", $"{fault}");
    }

    [Theory]
    [InlineData(2, false)]
    [InlineData(1, true)]
    public void The_number_of_members_has_a_bound(int most, bool isBroken) =>
        Assert.Equal(isBroken,
            CatalogContent.Read(Catalog("c.test", "a.zones PTR a.\nb.zones PTR b."), out _, most) is null);

    [Fact]
    public void The_number_of_members_follows_the_memory()
    {
        Assert.Equal(32_768, CatalogContent.MostFor(256L << 20));
        Assert.True(CatalogContent.MostFor(8L << 30) > CatalogContent.MaxMembers);
        Assert.Equal(int.MaxValue, CatalogContent.MostFor(long.MaxValue));
    }
}
