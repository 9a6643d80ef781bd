using System.Text;
using Dns.Testing;

namespace Dns.Telemetry.Tests.Files;

/// <summary>Files that the server writes, in directories with files placed by another user.</summary>
public sealed class ExclusiveFileTests : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Everybody = (UnixFileMode)0x1FF | UnixFileMode.StickyBit;

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string PathOf(string name) => Path.Combine(_folder.Root, name);

    private static void Replace(string path, string text) =>
        ExclusiveFile.Replace(path, "mine"u8, file => file.Write(Encoding.UTF8.GetBytes(text)));

    private static void Append(string path, string text)
    {
        using FileStream file = ExclusiveFile.OpenToAppend(path);
        file.Write(Encoding.UTF8.GetBytes(text));
    }

    /// <summary>Has the folder look like one for temporary files of all users.</summary>
    private void Share()
    {
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(_folder.Root, Everybody);
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData("", true)]
    [InlineData("mine and more", true)]
    [InlineData("mine", true)]
    [InlineData("min", false)]
    [InlineData("yours", false)]
    public void Only_files_that_begin_as_ours_are_replaced(string? content, bool isReplaced)
    {
        if (content is not null) _folder.Write("some", content);
        if (isReplaced) Replace(PathOf("some"), "mine, new");
        else Assert.Contains("another kind of file",
            Assert.Throws<IOException>(() => Replace(PathOf("some"), "mine, new")).Message);
        Assert.Equal(isReplaced ? "mine, new" : content, File.ReadAllText(PathOf("some")));
        Assert.Single(Directory.GetFiles(_folder.Root));
    }

    [Fact]
    public void New_files_are_for_their_owner_alone()
    {
        if (OperatingSystem.IsWindows()) return;
        Replace(PathOf("replaced"), "mine");
        Append(PathOf("appended"), "mine");
        Assert.Equal((OwnerOnly, OwnerOnly),
            (File.GetUnixFileMode(PathOf("replaced")), File.GetUnixFileMode(PathOf("appended"))));
    }

    [Fact]
    public void A_symlink_is_neither_followed_nor_replaced()
    {
        if (OperatingSystem.IsWindows()) return;
        foreach (string target in (string[])["there", "nowhere"])
        {
            if (target == "there") _folder.Write(target, "mine, of somebody");
            string link = PathOf("link-" + target);
            File.CreateSymbolicLink(link, PathOf(target));
            Action[] attempts =
            [
                () => Append(link, "x"), () => Replace(link, "x"), () => ExclusiveFile.TryReplace(link, "mine"u8),
                () => ExclusiveFile.OpenToRead(link).Dispose(),
                () => ExclusiveFile.Rotate(link, "mine"u8, DateTimeOffset.UnixEpoch),
            ];
            Assert.All(attempts, attempt => Assert.Contains("symlink", Assert.ThrowsAny<IOException>(attempt).Message));
            Assert.NotNull(new FileInfo(link).LinkTarget);
        }
        Assert.Equal("mine, of somebody", File.ReadAllText(PathOf("there")));
        Assert.False(File.Exists(PathOf("nowhere")));
    }

    [Fact]
    public void Files_beside_ours_with_names_that_were_guessed_stay_as_they_are()
    {
        if (OperatingSystem.IsWindows()) return;
        string[] names = ["cache.new", "cache.try", "cache.tmp", ".cache", ".cache.new"];
        foreach (string name in names) _folder.Write(name, "somebody's");
        File.CreateSymbolicLink(PathOf("cache~"), PathOf("cache.new"));
        ExclusiveFile.TryReplace(PathOf("cache"), "mine"u8);
        for (int i = 0; i < 3; i++) Replace(PathOf("cache"), "mine");
        Assert.All(names, name => Assert.Equal("somebody's", File.ReadAllText(PathOf(name))));
        Assert.Equal(names.Length + 2, Directory.GetFiles(_folder.Root).Length);
    }

    [Fact]
    public void A_cache_that_finds_no_room_leaves_the_file_before_it_and_nothing_else()
    {
        Replace(PathOf("cache"), "mine, of before");
        IOException full = Assert.Throws<IOException>(() => ExclusiveFile.Replace(PathOf("cache"), "mine"u8, file =>
        {
            file.Write("min"u8);
            throw new IOException("No space left on device");
        }));
        Assert.Equal("No space left on device", full.Message);
        Assert.Equal("mine, of before", File.ReadAllText(Assert.Single(Directory.GetFiles(_folder.Root))));
    }

    [Fact]
    public void In_a_directory_of_all_a_file_with_a_second_name_is_not_written()
    {
        if (!OperatingSystem.IsLinux()) return;
        Append(PathOf("log"), "one");
        Share();
        Append(PathOf("log"), "two");
        Assert.Null(ExclusiveFile.FindFault(PathOf("log")));
        Assert.True(System.Diagnostics.Process.Start("ln", [PathOf("log"), PathOf("second")]).WaitForExit(60_000));
        Assert.Contains("several names", Assert.Throws<IOException>(() => Append(PathOf("log"), "three")).Message);
        Assert.Contains("several names", ExclusiveFile.FindFault(PathOf("log")));
        Assert.Equal("onetwo", File.ReadAllText(PathOf("log")));
    }

    [Fact]
    public void A_pipe_that_no_program_reads_holds_up_nothing()
    {
        if (!OperatingSystem.IsLinux()) return;
        Assert.True(System.Diagnostics.Process.Start("mkfifo", [PathOf("pipe")]).WaitForExit(60_000));
        Assert.Contains("no program reads", Assert.Throws<IOException>(() => Append(PathOf("pipe"), "x")).Message);
        Assert.Contains("no regular file", Assert.Throws<IOException>(() => Replace(PathOf("pipe"), "x")).Message);
    }

    [Fact]
    public void What_everybody_may_write_is_not_read()
    {
        if (!OperatingSystem.IsLinux()) return;
        string file = _folder.Write("cache", "mine");
        ExclusiveFile.OpenToRead(file).Dispose();
        File.SetUnixFileMode(file, OwnerOnly | UnixFileMode.OtherWrite);
        Assert.Contains("all users may write to it",
            Assert.Throws<IOException>(() => ExclusiveFile.OpenToRead(file)).Message);
        Assert.Throws<FileNotFoundException>(() => ExclusiveFile.OpenToRead(file + "-"));
    }

    [Fact]
    public void Devices_are_opened_by_their_links()
    {
        if (!File.Exists("/dev/stdout") || !File.Exists("/dev/null")) return;
        Append("/dev/null", "x");
        Assert.Null(ExclusiveFile.FindFault("/dev/stdout"));
    }

    [Fact]
    public void A_capture_that_cannot_be_begun_is_begun_whole_later()
    {
        if (!File.Exists("/dev/full")) return;
        using BufferedFile file =
            new("/dev/full", new VirtualClock()) { Rotates = true, Beginning = "begin"u8.ToArray() };
        for (int i = 0; i < 3; i++) Assert.ThrowsAny<IOException>(file.Save);
    }

    [Fact]
    public void Owners_and_types_are_read_as_the_system_has_them()
    {
        if (!OperatingSystem.IsLinux()) return;
        FileFacts link = FileCalls.FactsOf("/proc/self/exe")!.Value;
        FileFacts root = FileCalls.FactsOf("/proc")!.Value;
        Assert.Equal((true, false, true), (link.IsSymlink, link.IsRegular, link.IsOf(FileCalls.EffectiveUser())));
        Assert.Equal((true, false), (root.IsDirectory, root.IsOpenToAll));
        Assert.Equal((0x8000 | 0x180, 1u), Facts(_folder.Write("a", "x")));
        Assert.Null(FileCalls.FactsOf(PathOf("none")));
        Assert.False(ExclusiveFile.IsShared(PathOf("a")));
        Share();
        Assert.True(ExclusiveFile.IsShared(PathOf("a")));

        static (int, uint) Facts(string path)
        {
            if (OperatingSystem.IsLinux()) File.SetUnixFileMode(path, OwnerOnly);
            return OperatingSystem.IsLinux() && FileCalls.FactsOf(path) is { } facts
                ? (facts.Mode, facts.Links) : default;
        }
    }
}
