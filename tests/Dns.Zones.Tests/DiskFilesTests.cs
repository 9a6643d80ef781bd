using Xunit;

namespace Dns.Zones.Tests;

public class DiskFilesTests
{
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
