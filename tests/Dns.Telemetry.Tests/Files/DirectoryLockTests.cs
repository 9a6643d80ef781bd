using Dns.Testing;

namespace Dns.Telemetry.Tests.Files;

/// <summary>A directory that one process uses at a time.</summary>
public sealed class DirectoryLockTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_directory_is_taken_once_until_it_is_released()
    {
        DirectoryLock? first = DirectoryLock.TryTake(_folder.Root, out bool isOfAnother);
        Assert.NotNull(first);
        Assert.False(isOfAnother);
        Assert.Null(DirectoryLock.TryTake(_folder.Root, out isOfAnother));
        Assert.True(isOfAnother);
        first.Dispose();
        using DirectoryLock? second = DirectoryLock.TryTake(_folder.Root, out isOfAnother);
        Assert.NotNull(second);
        Assert.False(isOfAnother);
    }

    [Fact]
    public void A_missing_directory_is_not_made_and_is_not_of_another()
    {
        string missing = Path.Combine(_folder.Root, "missing");
        Assert.Null(DirectoryLock.TryTake(missing, out bool isOfAnother));
        Assert.Equal((false, false), (isOfAnother, Directory.Exists(missing)));
        File.WriteAllText(missing, "");
        Assert.Null(DirectoryLock.TryTake(missing, out isOfAnother));
        Assert.False(isOfAnother);
    }

    [Fact]
    public void The_file_is_for_its_owner_alone_and_keeps_what_it_has()
    {
        string file = Path.Combine(_folder.Root, DirectoryLock.FileName);
        DirectoryLock.TryTake(_folder.Root, out _)!.Dispose();
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
        File.WriteAllText(file, "a");
        DirectoryLock.TryTake(_folder.Root, out _)!.Dispose();
        Assert.Equal("a", File.ReadAllText(file));
    }
}
