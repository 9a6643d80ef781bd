using System.Text;

namespace Dns.Server.Tests;

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
    [InlineData("another user has laid the symlink that is its directory", Root, OpenDirectory, Attacker, Symlink, Us,
        OwnDirectory, Us, SocketFile, Us)]
    [InlineData("everybody may write to its directory", Root, OpenDirectory, Us, OpenDirectory, Us, OpenDirectory, Us,
        SocketFile, Us)]
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
        string own = Path.Combine(_folder.Root, "dnsd"), place = Path.Combine(own, "control-53.sock");
        Directory.CreateDirectory(own, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        using UnixControlListener listener = UnixControlListener.Bind(place);
        Assert.Null(ControlTrust.FindFault(place));
        File.SetUnixFileMode(own, (UnixFileMode)0x1FF);
        Assert.Equal("everybody may write to its directory", ControlTrust.FindFault(place));
        Assert.Equal("it cannot be found out whose it is", ControlTrust.FindFault(place + "-"));
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

    [Fact]
    public async Task What_a_server_answers_cannot_do_anything_to_a_terminal()
    {
        if (!OperatingSystem.IsLinux()) return;
        const string text = "zone\ta\n\u001b]0;title\u0007\u009b2J\r\u202egnp.exe \u00fc\u6f22\n";
        foreach (string form in (string[])["text", "error"])
        {
            string place = Path.Combine(_folder.Root, form);
            using UnixControlListener listener = UnixControlListener.Bind(place);
            Task server = AnswerAsync(listener, $"{{\"{form}\":{System.Text.Json.JsonSerializer.Serialize(text)}}}\n");
            StringWriter output = new(), errors = new();
            await DnsdCommand.InvokeAsync(["status", "--socket", place], output, errors);
            await server;
            string shown = output.ToString() + errors;
            Assert.Contains("zone\ta", shown);
            Assert.Contains("\\u001b]0;title\\u0007\\u009b2J\\u000d\\u202egnp.exe \u00fc\u6f22", shown);
            Assert.DoesNotContain(shown, c => char.IsControl(c) && c is not ('\n' or '\t') || c == '\u202e');
        }
    }

    private static async Task AnswerAsync(UnixControlListener listener, string answer)
    {
        await using Stream client = await listener.AcceptAsync(CancellationToken.None);
        _ = await client.ReadAsync(new byte[4096]);
        await client.WriteAsync(Encoding.UTF8.GetBytes(answer));
    }

    [Fact]
    public async Task Every_command_prints_control_characters_escaped()
    {
        string file = _folder.Write("dnsd.json", "{ \"Dns\": { \"Identity\u009b\": 1 } }");
        string zone =
            _folder.Write("x.zone", "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\nb\u001b[2J A 192.0.2.300\n");
        string[][] commands =
        [
            ["check", "--config", file], ["run", "--config", file], ["run", "--bo\u001bgus"],
            ["zone", "check", "x", zone],
            ["zone", "check", "x", _folder.Root + "/no\u001b"], ["query", "a", "@\u001b]0;x"],
            ["query", "\u001b", "NO\u001bTYPE"],
            ["import", _folder.Root + "/no\u001b"], ["status", "--socket", _folder.Root + "/no\u001b"],
        ];
        foreach (string[] command in commands)
        {
            StringWriter output = new(), errors = new();
            Assert.NotEqual(0, await DnsdCommand.InvokeAsync(command, output, errors));
            Assert.NotEmpty(errors.ToString());
            Assert.DoesNotContain(output.ToString() + errors,
                c => char.IsControl(c) && c is not ('\r' or '\n' or '\t'));
        }
    }
}
