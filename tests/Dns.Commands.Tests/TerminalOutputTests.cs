using System.Text;

namespace Dns.Commands.Tests;

/// <summary>Control characters that reach no terminal.</summary>
public sealed class TerminalOutputTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task What_a_server_answers_cannot_do_anything_to_a_terminal()
    {
        if (!OperatingSystem.IsLinux()) return;
        const string text = "zone\ta\n\u001b]0;title\u0007\u009b2J\r\u202egnp.exe \u00fc\u6f22\n";
        foreach (string form in (string[])["text", "error"])
        {
            string path = Path.Combine(_folder.Root, form);
            using UnixControlListener listener = UnixControlListener.Bind(path);
            Task server = AnswerAsync(listener, $"{{\"{form}\":{System.Text.Json.JsonSerializer.Serialize(text)}}}\n");
            StringWriter output = new(), errors = new();
            await DnsdCommand.InvokeAsync(["status", "--socket", path], output, errors);
            await server;
            string shown = output.ToString() + errors;
            Assert.Contains("zone\ta", shown);
            Assert.Contains("\\u001b]0;title\\u0007\\u009b2J\\u000d\\u202egnp.exe \u00fc\u6f22", shown);
            Assert.DoesNotContain(shown, c => char.IsControl(c) && c is not ('\n' or '\t') || c == '\u202e');
        }
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

    private static async Task AnswerAsync(UnixControlListener listener, string answer)
    {
        await using Stream client = await listener.AcceptAsync(CancellationToken.None);
        _ = await client.ReadAsync(new byte[4096]);
        await client.WriteAsync(Encoding.UTF8.GetBytes(answer));
    }
}
