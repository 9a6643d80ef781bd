namespace Dns.Providers.Tests;

public sealed class ZoneDirectoryTests : IDisposable
{
    private readonly ZoneTree _tree = new();
    private readonly List<ZoneFile> _files = [];
    private readonly List<string> _problems = [];

    public void Dispose() => _tree.Dispose();

    private void Add(params string[] names)
    {
        foreach (string name in names) File.WriteAllText(Path.Combine(_tree.Root, name), "");
    }

    private string[] Read(string pattern)
    {
        ZoneDirectory.Read(_tree.Root, pattern, _files, _problems);
        return [.. _files.Select(file => file.FileName)];
    }

    [Fact]
    public void Files_that_match_come_in_the_order_of_their_names()
    {
        Add("b.zone", "a.zone", "c.zone~", "notes");
        Assert.Equal(["a.zone", "b.zone"], Read("*.zone"));
        Assert.Equal(Path.Combine(_tree.Root, "a.zone"), _files[0].Path);
    }

    [Theory]
    [InlineData("*", new[] { "a.zone", "db.b", "x" })]
    [InlineData("db.*", new[] { "db.b" })]
    [InlineData("?.zone", new[] { "a.zone" })]
    [InlineData("*.ZONE", new string[0])]
    public void A_pattern_chooses_the_files(string pattern, string[] expected)
    {
        Add("a.zone", "db.b", "x");
        Assert.Equal(expected, Read(pattern));
    }

    [Fact]
    public void Directories_and_hidden_files_are_left_out()
    {
        Directory.CreateDirectory(Path.Combine(_tree.Root, "d.zone"));
        Add(".hidden.zone", "a.zone");
        Assert.Equal(["a.zone"], Read("*.zone"));
    }

    [Fact]
    public void A_name_that_is_no_zone_is_a_problem_with_the_path()
    {
        Add("a..b.zone", "c.zone");
        Assert.Equal(["c.zone"], Read("*.zone"));
        Assert.StartsWith(Path.Combine(_tree.Root, "a..b.zone") + ": ", Assert.Single(_problems));
    }

    [Fact]
    public void A_directory_that_is_not_there_is_an_exception_of_io() =>
        Assert.Throws<DirectoryNotFoundException>(
            () => ZoneDirectory.Read(Path.Combine(_tree.Root, "none"), "*", _files, _problems));

    [Fact]
    public void Files_whose_names_begin_with_a_dot_are_left_out()
    {
        Add(".a.zone", "b.zone");
        Assert.Equal(["b.zone"], Read("*"));
        Assert.Empty(_problems);
    }

    [Theory]
    [InlineData("*.zone", "a.zone", true)]
    [InlineData("*.zone", "a.zone~", false)]
    [InlineData("*", ".a.zone.swp", false)]
    [InlineData("*.zone", ".a.zone", false)]
    public void No_pattern_holds_a_file_whose_name_begins_with_a_dot(string pattern, string fileName, bool isHeld) =>
        Assert.Equal(isHeld, ZoneDirectory.Holds(_tree.Root, pattern, fileName));

    [Theory]
    [InlineData("a.zone.bak", true)]
    [InlineData("a.zone.edited", true)]
    [InlineData("a.zone.edited.2", true)]
    [InlineData("a.zone.edited.10", true)]
    [InlineData("a.zone.edited.2.bak", false)]
    [InlineData("a.zone.edited.", false)]
    [InlineData("a.zone.edited.x2", false)]
    [InlineData("a.zone.edited2", false)]
    [InlineData("a.zone.2", false)]
    [InlineData("a.zonebak", false)]
    [InlineData("b.zone.bak", false)]
    [InlineData("d.bak", false)]
    public void A_file_that_the_server_keeps_beside_another_is_no_zone(string fileName, bool isKept)
    {
        Add("a.zone", fileName);
        Directory.CreateDirectory(Path.Combine(_tree.Root, "d"));
        Assert.Equal(isKept ? ["a.zone"] : ["a.zone", fileName], Read("*").Concat(_problems.Select(Path.GetFileName))
            .Select(name => name!.Split(": ")[0]));
        Assert.Equal(!isKept, ZoneDirectory.Holds(_tree.Root, "*", fileName));
        // Without the other one it is a file like any.
        File.Delete(Path.Combine(_tree.Root, "a.zone"));
        Assert.True(ZoneDirectory.Holds(_tree.Root, "*", fileName));
    }

    [Fact]
    public void A_kept_file_is_no_zone_even_if_it_was_known_as_one()
    {
        Add("a.zone", "a.zone.bak");
        List<string> asked = [];
        ZoneDirectory.Read(_tree.Root, "*", _files, _problems, (_, name) =>
        {
            asked.Add(name.ToString());
            return true;
        });
        Assert.Equal(["a.zone"], asked);
    }
}
