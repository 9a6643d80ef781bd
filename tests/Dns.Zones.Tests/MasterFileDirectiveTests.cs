using Xunit;

namespace Dns.Zones.Tests;

[Trait("RFC", "1035 §5.1, 2308 §4")]
public sealed class MasterFileDirectiveTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Ttl_directive_holds_for_records_without_one_and_a_stated_ttl_does_not_replace_it() =>
        Assert.Equal(
            "a.example.com. 5400 IN A 192.0.2.1\na.example.com. 7 IN A 192.0.2.2\na.example.com. 5400 IN A 192.0.2.3\n",
            _folder.Dump("$TTL 1h30m ; comment\na A 192.0.2.1\n 7 A 192.0.2.2\n A 192.0.2.3\n"));

    [Fact]
    public void Without_ttl_directive_the_last_stated_ttl_holds() =>
        Assert.Equal(
            "a.example.com. 7 IN A 192.0.2.2\na.example.com. 7 IN A 192.0.2.3\n",
            _folder.Dump("a 7 A 192.0.2.2\n A 192.0.2.3\n"));

    [Fact]
    public void Soa_without_ttl_takes_its_minimum_and_so_do_the_records_after_it() =>
        Assert.Equal(
            "example.com. 5 IN SOA a. b. 1 2 3 4 5\nexample.com. 9 IN NS a.\nexample.com. 5 IN NS b.\n",
            _folder.Dump("@ SOA a. b. 1 2 3 4 5\n 9 NS a.\n NS b.\n"));

    [Fact]
    public void Omitted_class_is_the_last_one_stated() =>
        Assert.Equal(
            "a.example.com. 1 CH TXT \"x\"\nb.example.com. 1 CH TXT \"y\"\n",
            _folder.Dump("a 1 CH TXT x\nb TXT y\n"));

    [Fact]
    public void Origin_completes_owners_and_names_in_rdata() =>
        Assert.Equal(
            "a.b.example.com. 1 IN NS c.b.example.com.\nd. 1 IN NS e.f.\n",
            _folder.Dump("$ORIGIN b\na 1 NS c\n$origin f.\nd. 1 NS e\n"));

    [Fact]
    public void The_same_owner_text_under_another_origin_is_another_owner() =>
        Assert.Equal(
            "a.example.com. 1 IN A 192.0.2.1\na.b.example.com. 1 IN A 192.0.2.2\n",
            _folder.Dump("a 1 A 192.0.2.1\n$ORIGIN b\na 1 A 192.0.2.2\n"));

    [Fact]
    public void Owner_is_inherited_across_origin() =>
        Assert.Equal(
            "a.example.com. 1 IN A 192.0.2.1\na.example.com. 1 IN A 192.0.2.2\n",
            _folder.Dump("a 1 A 192.0.2.1\n$ORIGIN b\n 1 A 192.0.2.2\n"));

    [Theory]
    [InlineData("$TTL\n", "1:5: error: found the end of the line, expected a TTL")]
    [InlineData("$TTL 1 2\n", "1:8: error: found \"2\", expected the end of the line")]
    [InlineData("$ORIGIN\n", "1:8: error: found the end of the line, expected a domain name")]
    [InlineData("$ORIGIN a b\n", "1:11: error: found \"b\", expected the end of the line")]
    [InlineData("$ORIGIN .a\n", "1:9: error: found \".a\", expected a domain name: the name has an empty label")]
    [InlineData("$INCLUDE\n", "1:9: error: found the end of the line, expected the name of a file")]
    [InlineData("$INCLUDE a b c\n", "1:14: error: found \"c\", expected the end of the line")]
    public void A_directive_that_cannot_be_read_is_an_error(string text, string expected) =>
        Assert.Equal(expected, _folder.Dump(text));

    [Fact]
    public void Included_names_are_relative_to_the_file_that_includes()
    {
        _folder.Write("sub/one", "b 1 A 192.0.2.2\n$INCLUDE \"two\"\n");
        _folder.Write("sub/two", "c 1 A 192.0.2.3");
        Assert.Equal(
            "a.example.com. 1 IN A 192.0.2.1\nb.example.com. 1 IN A 192.0.2.2\nc.example.com. 1 IN A 192.0.2.3\n",
            _folder.Dump("a 1 A 192.0.2.1\n$INCLUDE sub/one\n"));
    }

    [Fact]
    public void Origin_and_owner_are_what_they_were_behind_an_include_and_its_ttl_directive_holds()
    {
        _folder.Write("one", " A 192.0.2.2\n$ORIGIN elsewhere.\n$TTL 9\nx A 192.0.2.3\n");
        Assert.Equal(
            "a.example.com. 1 IN A 192.0.2.1\na.example.com. 1 IN A 192.0.2.2\nx.elsewhere. 9 IN A 192.0.2.3\n"
            + "a.example.com. 9 IN A 192.0.2.4\nb.example.com. 9 IN A 192.0.2.5\n",
            _folder.Dump("$TTL 1\na A 192.0.2.1\n$INCLUDE one\n A 192.0.2.4\nb A 192.0.2.5\n"));
    }

    [Theory]
    [InlineData("one 7 A 192.0.2.1\n", 7)]
    [InlineData("@ SOA a. b. 1 2 3 4 5\n", 5)]
    [InlineData("$INCLUDE two\n", 9)]
    public void The_ttl_of_records_without_one_holds_behind_an_include(string included, int expected)
    {
        _folder.Write("one", included);
        _folder.Write("two", "$TTL 9\n");
        Assert.EndsWith($"a.example.com. {expected} IN A 192.0.2.2\n",
            _folder.Dump("$INCLUDE one\na A 192.0.2.2\n"));
    }

    [Fact]
    public void A_zone_whose_ttl_directive_and_SOA_stand_in_an_included_file_is_loaded()
    {
        _folder.Write("head", ZoneFolder.Start);
        Assert.Empty(_folder.Load("$INCLUDE head\nwww A 192.0.2.2\n").Diagnostics);
    }

    [Fact]
    public void The_class_stated_in_an_included_file_holds_behind_it()
    {
        _folder.Write("one", "a 1 CH TXT x\n");
        Assert.Equal("a.example.com. 1 CH TXT \"x\"\nb.example.com. 1 CH TXT \"y\"\n",
            _folder.Dump("$INCLUDE one\nb TXT y\n"));
    }

    [Fact]
    public void Include_may_have_an_origin_of_its_own()
    {
        _folder.Write("one", "a 1 NS @\n");
        Assert.Equal(
            "a.sub.example.com. 1 IN NS sub.example.com.\nb.example.com. 1 IN A 192.0.2.1\n",
            _folder.Dump("$INCLUDE one sub\nb 1 A 192.0.2.1\n"));
    }

    [Fact]
    public void Errors_in_included_files_carry_their_name_and_come_behind_those_of_the_file_before()
    {
        string one = _folder.Write("one", "\nb 1 BOGUS\n");
        Assert.Equal(
            $"2:5: error: found \"BAD\", expected a record type\n{one}:2:5: error: found \"BOGUS\", expected a " +
                $"record type",
            _folder.Dump("$INCLUDE one\na 1 BAD\n"));
    }

    [Fact]
    public void A_file_that_includes_itself_is_an_error()
    {
        string one = _folder.Write("one", "$INCLUDE two\n");
        string two = _folder.Write("two", "\n$INCLUDE ./one\n");
        Assert.Equal(
            $"{two}:2:10: error: found $INCLUDE of {Path.Combine(_folder.Root, "./one")}: the file includes itself",
            _folder.Dump("$INCLUDE one\n"));
        Assert.True(File.Exists(one));
    }

    [Fact]
    public void Includes_go_sixteen_deep()
    {
        for (int i = 1; i <= 20; i++) _folder.Write($"{i}", $"a{i} 1 A 192.0.2.1\n$INCLUDE {i + 1}\n");
        Assert.Equal(
            $"{Path.Combine(_folder.Root, "16")}:2:10: error: found $INCLUDE of {Path.Combine(_folder.Root, "17")}: "
            + "files are included more than 16 deep",
            _folder.Dump("$INCLUDE 1\n"));
    }

    [Fact]
    public void A_directory_cannot_be_included()
    {
        Directory.CreateDirectory(Path.Combine(_folder.Root, "sub"));
        Assert.Equal(
            $"1:10: error: found $INCLUDE of {Path.Combine(_folder.Root, "sub")}: it is a directory",
            _folder.Dump("$INCLUDE sub\n"));
    }

    [Fact]
    public void A_missing_file_cannot_be_included() =>
        Assert.Equal(
            $"1:10: error: found $INCLUDE of {Path.Combine(_folder.Root, "none")}: there is no such file",
            _folder.Dump("$INCLUDE none\n"));

    [Fact]
    public void Nothing_of_a_file_with_a_broken_include_is_served()
    {
        ZoneLoadResult result = _folder.Load(ZoneFolder.Start + "$INCLUDE none\n");
        Assert.Null(result.Zone);
    }
}
