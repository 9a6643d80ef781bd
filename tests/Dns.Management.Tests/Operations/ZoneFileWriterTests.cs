using System.Runtime.Versioning;
using Dns.Files.Native;
using Dns.Testing;

namespace Dns.Management.Tests.Operations;

public sealed class ZoneFileWriterTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dns-writer-").FullName;

    private string Path => System.IO.Path.Combine(_folder, "z.zone");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Write() => ZoneFileWriter.Write(
        Path, ZoneText.Load("z.test.", "@ SOA ns hostmaster 7 1 1 1 1\n@ NS ns\nns A 192.0.2.1\n"), wasEdited: false);

    [Fact]
    public void The_previous_file_is_kept_and_nothing_else_is_left()
    {
        File.WriteAllText(Path, "before");
        Assert.Equal(Path + PreviousZoneFiles.BackupEnding, Write());
        Assert.Equal(["z.zone", "z.zone.bak"], Directory.GetFiles(_folder).Select(System.IO.Path.GetFileName).Order());
        Assert.Equal("before", File.ReadAllText(Path + ".bak"));
        Assert.Contains("ns.z.test.", File.ReadAllText(Path));
    }

    [Fact]
    public void A_file_that_was_removed_is_written_again()
    {
        Write();
        Assert.Equal(["z.zone"], Directory.GetFiles(_folder).Select(System.IO.Path.GetFileName));
    }

    [LinuxFact]
    public void A_symlink_stays_and_a_loop_of_symlinks_is_an_error()
    {
        string target = System.IO.Path.Combine(_folder, "target");
        File.WriteAllText(target, "before");
        File.CreateSymbolicLink(Path, target);
        Assert.Equal(target + PreviousZoneFiles.BackupEnding, Write());
        Assert.Equal(target, new FileInfo(Path).LinkTarget);
        File.Delete(target);
        File.CreateSymbolicLink(target, Path);
        Assert.Throws<IOException>(() => ZoneFileWriter.BackupOf(Path));
        Assert.Throws<IOException>(Write);
    }

    [LinuxTheory]
    [InlineData(0b110_110_110)]
    [InlineData(0b110_100_100)]
    [InlineData(0b110_000_000)]
    [SupportedOSPlatform("linux")]
    public void A_written_file_keeps_a_mode_that_the_umask_would_not_give(int mode)
    {
        File.WriteAllText(Path, "before");
        File.SetUnixFileMode(Path, (UnixFileMode)mode);
        Write();
        Assert.Equal((UnixFileMode)mode, File.GetUnixFileMode(Path));
    }

    [LinuxFact(NeedsRoot = true)]
    [SupportedOSPlatform("linux")]
    public void A_written_file_keeps_mode_owner_and_group()
    {
        File.WriteAllText(Path, "before");
        using (FileStream file = File.OpenWrite(Path)) FileCalls.Give(file.SafeFileHandle, 4711, 4712);
        File.SetUnixFileMode(Path, UnixFileMode.UserRead | UnixFileMode.GroupRead);
        Write();
        FileFacts facts = FileCalls.FactsOf(Path)!.Value;
        Assert.Equal((4711u, 4712u), (facts.User, facts.Group));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.GroupRead, File.GetUnixFileMode(Path));
    }
}
