using System.Text;

namespace Dns.Management.Tests;

/// <summary>Which servers commands trust, and what of their output reaches the terminal.</summary>
public sealed class ControlTrustTests : IDisposable
{
    private const uint Root = 0, Us = 1000, Service = 990, Attacker = 1001;
    private const int OpenDirectory = 0x4000 | 0x200 | 0x1FF, ClosedDirectory = 0x4000 | 0x1E8,
        OwnDirectory = 0x4000 | 0x1C0;
    private const int SocketFile = 0xC000 | 0x1B0, RegularFile = 0x8000 | 0x1B0, Symlink = 0xA000 | 0x1FF;

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static FileFacts Facts(uint user, int mode) => new(user, (ushort)mode, 1);

    [Theory]
    // Ours below the directory for temporary files, and that of a service below /run.
    [InlineData(null, Root, OpenDirectory, Us, OwnDirectory, Us, OwnDirectory, Us, SocketFile, Us)]
    [InlineData(null, Root, ClosedDirectory, Service, ClosedDirectory, Service, ClosedDirectory, Service,
        SocketFile, Service)]
    [InlineData(null, Root, ClosedDirectory, Root, ClosedDirectory, Root, ClosedDirectory, Root, SocketFile, Root)]
    // A dynamic user's directory is a symlink that root has laid.
    [InlineData(null, Root, ClosedDirectory, Root, Symlink, Service, ClosedDirectory, Service, SocketFile, Service)]
    // Whatever another user makes in our name.
    [InlineData("its directory belongs to another user", Root, OpenDirectory, Attacker, OwnDirectory, Attacker,
        OwnDirectory, Attacker, SocketFile, Attacker)]
    [InlineData("its directory is a symlink of another user", Root, OpenDirectory, Attacker, Symlink, Us,
        OwnDirectory, Us, SocketFile, Us)]
    [InlineData("its directory is writable for all users", Root, OpenDirectory, Us, OpenDirectory, Us, OpenDirectory,
        Us, SocketFile, Us)]
    [InlineData("it belongs to another user", Root, ClosedDirectory, Service, ClosedDirectory, Service,
        ClosedDirectory, Attacker, SocketFile, Service)]
    [InlineData("it is no socket", Root, OpenDirectory, Us, OwnDirectory, Us, OwnDirectory, Us, RegularFile, Us)]
    [InlineData("a program of another user answers there", Root, OpenDirectory, Us, OwnDirectory, Us, OwnDirectory, Us,
        SocketFile, Attacker)]
    [InlineData("a program of another user answers there", Root, ClosedDirectory, Service, ClosedDirectory, Service,
        ClosedDirectory, Service, SocketFile, Attacker)]
    public void A_socket_is_believed_for_its_owners_and_whoever_answers(
        string? fault, uint above, int aboveMode, uint entry, int entryMode, uint directory, int directoryMode,
        uint socket, int socketMode, uint peer)
    {
        ControlTrust trust = new(
            Us, Facts(above, aboveMode), Facts(entry, entryMode), Facts(directory, directoryMode),
            Facts(socket, socketMode));
        Assert.Equal(fault,
            trust.FindFault() ?? (trust.IsTrusted(peer) ? null : "a program of another user answers there"));
    }

    [Fact]
    public void The_owners_of_a_socket_and_who_answers_are_asked_of_the_system()
    {
        if (!OperatingSystem.IsLinux()) return;
        string own = Path.Combine(_folder.Root, "dnsd"), path = Path.Combine(own, "control-53.sock");
        Directory.CreateDirectory(own, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        using UnixControlListener listener = UnixControlListener.Bind(path);
        Assert.Null(ControlTrust.FindFault(path));
        File.SetUnixFileMode(own, (UnixFileMode)0x1FF);
        Assert.Equal("its directory is writable for all users", ControlTrust.FindFault(path));
        Assert.Equal("its owner is unknown", ControlTrust.FindFault(path + "-"));
    }

    [Fact]
    public void Only_a_dead_socket_gives_way_and_no_file_however_empty()
    {
        if (!OperatingSystem.IsLinux()) return;
        string file = _folder.Write("control-53.sock", "");
        Assert.Contains("a file that is no socket",
            Assert.Throws<IOException>(() => UnixControlListener.Bind(file)).Message);
        Assert.True(File.Exists(file));
    }
}
