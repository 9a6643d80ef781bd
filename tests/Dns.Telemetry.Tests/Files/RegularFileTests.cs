using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using Dns.Testing;
using Microsoft.Win32.SafeHandles;

namespace Dns.Telemetry.Tests.Files;

/// <summary>Files that another user may exchange, or holds a lease of.</summary>
public sealed class RegularFileTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string PathOf(string name) => Path.Combine(_folder.Root, name);

    private static string Read(string path)
    {
        using SafeFileHandle file = RegularFile.OpenToRead(path);
        byte[] octets = new byte[RandomAccess.GetLength(file)];
        return Encoding.UTF8.GetString(octets, 0, RandomAccess.Read(file, octets, 0));
    }

    [LinuxFact]
    public void A_file_is_read_also_through_a_symlink()
    {
        File.CreateSymbolicLink(PathOf("link"), _folder.Write("a", "text"));
        Assert.Equal(("text", "text"), (Read(PathOf("a")), Read(PathOf("link"))));
    }

    [LinuxFact]
    public void A_symlink_is_known_as_one_and_a_symlink_before_it_is_not()
    {
        Directory.CreateDirectory(PathOf("a"));
        File.WriteAllText(PathOf("a/file"), "text");
        File.CreateSymbolicLink(PathOf("link"), PathOf("a/file"));
        Directory.CreateSymbolicLink(PathOf("b"), PathOf("a"));
        Assert.Equal((true, false, false), (IsSymlink("link"), IsSymlink("a/file"), IsSymlink("b/file")));
    }

    private bool IsSymlink(string name)
    {
        RegularFile.OpenToRead(PathOf(name), out bool isSymlink).Dispose();
        return isSymlink;
    }

    [LinuxFact]
    public void A_pipe_a_device_and_a_directory_are_errors_at_once()
    {
        Process.Start("mkfifo", [PathOf("pipe")]).WaitForExit();
        File.CreateSymbolicLink(PathOf("link"), PathOf("pipe"));
        foreach (string path in new[] { PathOf("pipe"), PathOf("link"), "/dev/zero", _folder.Root })
            Assert.Equal("it is a pipe, a device or a directory and not a regular file",
                Assert.Throws<IOException>(() => RegularFile.OpenToRead(path)).Message);
    }

    [LinuxFact]
    public void What_is_not_there_is_told_from_what_cannot_be_opened()
    {
        File.CreateSymbolicLink(PathOf("circle"), PathOf("circle"));
        Assert.Throws<FileNotFoundException>(() => RegularFile.OpenToRead(PathOf("none")));
        Assert.Throws<FileNotFoundException>(() => RegularFile.OpenToRead(_folder.Write("a", "text") + "/b"));
        Assert.Throws<IOException>(() => RegularFile.OpenToRead(PathOf("circle")));
    }

    [LinuxFact]
    public void A_file_that_another_process_holds_a_lease_of_is_not_waited_for()
    {
        string path = _folder.Write("a", "text");
        using (SafeFileHandle holder = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite))
        {
            int descriptor = (int)holder.DangerousGetHandle();
            // By default the signal of a lease ends the process; SIGURG does nothing.
            Assert.Equal(0, Control(descriptor, SetSignal, Urgent));
            Assert.Equal(0, Control(descriptor, SetLease, WriteLock));
            Assert.Equal("another process holds a lease of it",
                Assert.Throws<IOException>(() => RegularFile.OpenToRead(path)).Message);
        }
        Assert.Equal("text", Read(path));
    }

    [LinuxFact]
    public void A_lease_that_is_given_up_is_waited_for()
    {
        string path = _folder.Write("a", "text");
        SafeFileHandle holder = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite);
        int descriptor = (int)holder.DangerousGetHandle();
        using var signal = PosixSignalRegistration.Create((PosixSignal)Urgent, context =>
        {
            context.Cancel = true;
            holder.Dispose();
        });
        Assert.Equal(0, Control(descriptor, SetSignal, Urgent));
        Assert.Equal(0, Control(descriptor, SetLease, WriteLock));
        // The handler of the signal may wait for a thread.
        RegularFile.OpenToRead(path, out _, most: 5000).Dispose();
    }

    // fcntl(2), of Linux.
    private const int SetSignal = 10, SetLease = 1024, WriteLock = 1, Urgent = 23;

    [DllImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static extern int Control(int descriptor, int command, int argument);
}
