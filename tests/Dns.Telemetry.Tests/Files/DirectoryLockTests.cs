using System.Runtime.InteropServices;
using Dns.Testing;
using Microsoft.Win32.SafeHandles;

namespace Dns.Telemetry.Tests.Files;

/// <summary>A directory that one process uses at a time.</summary>
public sealed class DirectoryLockTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_directory_is_taken_once_until_it_is_released()
    {
        DirectoryLock? first = DirectoryLock.TryTake(_folder.Root, out bool isOfAnother, out _);
        Assert.NotNull(first);
        Assert.False(isOfAnother);
        Assert.Null(DirectoryLock.TryTake(_folder.Root, out isOfAnother, out _));
        Assert.True(isOfAnother);
        first.Dispose();
        using DirectoryLock? second = DirectoryLock.TryTake(_folder.Root, out isOfAnother, out _);
        Assert.NotNull(second);
        Assert.False(isOfAnother);
    }

    [Fact]
    public void A_release_counts_also_while_a_started_process_has_a_copy_of_the_file()
    {
        if (!OperatingSystem.IsLinux()) return;
        DirectoryLock? first = DirectoryLock.TryTake(_folder.Root, out _, out _);
        string path = Path.Combine(_folder.Root, DirectoryLock.FileName);
        string open = Directory.EnumerateFileSystemEntries("/proc/self/fd")
            .First(entry => new FileInfo(entry).LinkTarget == path);
        using SafeFileHandle copy = new(Duplicate(int.Parse(Path.GetFileName(open))), ownsHandle: true);
        Assert.False(copy.IsInvalid);
        first!.Dispose();
        first.Dispose();
        using DirectoryLock? second = DirectoryLock.TryTake(_folder.Root, out _, out _);
        Assert.NotNull(second);
    }

    [DllImport("libc", EntryPoint = "dup")]
    private static extern int Duplicate(int file);

    [Fact]
    public void One_that_another_has_for_an_instant_is_waited_for()
    {
        DirectoryLock? first = DirectoryLock.TryTake(_folder.Root, out _, out _), second = null;
        Assert.Null(DirectoryLock.TryTake(_folder.Root, out bool isOfAnother, out _, TimeSpan.Zero));
        Assert.True(isOfAnother);
        Thread waiting = new(() => second = DirectoryLock.TryTake(_folder.Root, out _, out _, TimeSpan.FromMinutes(1)));
        waiting.Start();
        SpinWait.SpinUntil(() => !waiting.IsAlive || waiting.ThreadState.HasFlag(ThreadState.WaitSleepJoin));
        first!.Dispose();
        waiting.Join();
        Assert.NotNull(second);
        second.Dispose();
    }

    [Fact]
    public void A_missing_directory_is_not_made_and_is_not_of_another()
    {
        string missing = Path.Combine(_folder.Root, "missing");
        Assert.Null(DirectoryLock.TryTake(missing, out bool isOfAnother, out _));
        Assert.Equal((false, false), (isOfAnother, Directory.Exists(missing)));
        Assert.Null(DirectoryLock.TryTake(missing, out isOfAnother, out string? fault));
        Assert.Equal((false, null), (isOfAnother, fault));
        Directory.CreateDirectory(Path.Combine(missing, DirectoryLock.FileName));
        Assert.Null(DirectoryLock.TryTake(missing, out isOfAnother, out fault));
        Assert.False(isOfAnother);
        Assert.NotNull(fault);
    }

    [Fact]
    public void A_symlink_in_its_place_is_a_fault_and_nothing_is_made_where_it_leads()
    {
        string file = Path.Combine(_folder.Root, DirectoryLock.FileName), elsewhere = file + ".elsewhere";
        File.CreateSymbolicLink(file, elsewhere);
        Assert.Null(DirectoryLock.TryTake(_folder.Root, out bool isOfAnother, out string? fault));
        Assert.Equal((false, $"{file}: it is a symlink, which is not followed"), (isOfAnother, fault));
        Assert.False(File.Exists(elsewhere));
    }

    [LinuxFact]
    public void A_process_that_has_not_opened_the_file_has_no_lock()
    {
        int here = Environment.ProcessId;
        using (DirectoryLock? taken = DirectoryLock.TryTake(_folder.Root, out _, out _))
            Assert.True(DirectoryLock.MayBeOf(here, _folder.Root));
        Assert.False(DirectoryLock.MayBeOf(here, _folder.Root));
        // Without a file, or a process that can be seen, nothing is known.
        Assert.True(DirectoryLock.MayBeOf(here, Path.Combine(_folder.Root, "missing")));
        Assert.True(DirectoryLock.MayBeOf(0, _folder.Root));
    }

    [Fact]
    public void The_file_is_for_its_owner_alone_and_keeps_what_it_has()
    {
        string file = Path.Combine(_folder.Root, DirectoryLock.FileName);
        DirectoryLock.TryTake(_folder.Root, out _, out _)!.Dispose();
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
        File.WriteAllText(file, "a");
        DirectoryLock.TryTake(_folder.Root, out _, out _)!.Dispose();
        Assert.Equal("a", File.ReadAllText(file));
    }
}
