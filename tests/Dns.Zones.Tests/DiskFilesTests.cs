using Xunit;

namespace Dns.Zones.Tests;

public class DiskFilesTests
{
    [Fact]
    public void A_directory_that_cannot_be_listed_is_an_error_and_a_missing_one_is_empty()
    {
        string folder = Directory.CreateTempSubdirectory("dnsd-list-").FullName, cycle = Path.Combine(folder, "cycle");
        try
        {
            Assert.Empty(new DiskFiles().List(Path.Combine(folder, "missing")));
            File.CreateSymbolicLink(cycle, cycle);
            Assert.Throws<IOException>(() => new DiskFiles().List(cycle));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void A_file_that_can_only_be_read_says_why_when_it_is_written()
    {
        // A file that nobody may write, not even root.
        const string path = "/proc/sys/kernel/ostype";
        if (!OperatingSystem.IsLinux()) return;
        string? reason = Record.Exception(() => File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite))?.Message;
        Assert.NotNull(reason);
        Assert.True(new DiskFiles().TryOpen(path, out IJournalFile? file));
        using (file)
        {
            byte[] octets = new byte[5];
            Assert.Equal(5, file.Read(0, octets));
            Assert.Equal("Linux"u8, octets);
            Assert.Equal(reason, Assert.Throws<IOException>(() => file.Write(0, octets)).Message);
            Assert.Equal(reason, Assert.Throws<IOException>(() => file.SetLength(0)).Message);
        }
    }
}
