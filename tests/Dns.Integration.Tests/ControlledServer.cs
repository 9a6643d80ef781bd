using System.Text.Json.Nodes;

namespace Dns.Integration.Tests;

/// <summary>A server with a good and a broken zone, and the commands sent to it.</summary>
public class ControlledServer : IAsyncLifetime
{
    protected const string Zone = """
        $TTL 60
        @ SOA ns h 7 2 3 4 5
        @ NS ns
        ns A 192.0.2.1
        www A 192.0.2.80
        alias CNAME www
        out CNAME www.elsewhere.org.
        *.wild TXT x
        sub NS ns.sub
        ns.sub A 192.0.2.9
        old DNAME wild

        """;

    /// <summary>Its folder, with its settings and its zones.</summary>
    internal string Folder { get; } = Directory.CreateTempSubdirectory("dnsd-").FullName;

    internal DnsdProcess Process { get; set; } = null!;

    /// <summary>The control socket that commands use.</summary>
    internal string ControlSocket { get; set; } = "";

    public async ValueTask InitializeAsync()
    {
        Write("zones/a.test.zone", Zone);
        Write("zones/bad.test.zone", "@ A 192.0.2.999\n");
        Write("dnsd.json",
            """{ "Dns": { "Listen": ["127.0.0.1:0"], "Zones": [ { "Directory": "zones" } ], "Reload": { "Watch": false } } }""");
        Process = DnsdProcess.Start(Folder, ["run", "--config", "dnsd.json"]);
        await Process.WaitUntilLoadedAsync();
        ControlSocket = (await Process.WaitForLineAsync("Control socket ")).Split(' ')[^1];
    }

    public ValueTask DisposeAsync()
    {
        Process.Dispose();
        Directory.Delete(Folder, recursive: true);
        return ValueTask.CompletedTask;
    }

    internal string Write(string name, string text)
    {
        string file = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
        return file;
    }

    internal async Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] args)
    {
        StringWriter output = new(), errors = new();
        int exitCode = await DnsdCommand.InvokeAsync([.. args, "--socket", ControlSocket], output, errors);
        return (exitCode, output.ToString().ReplaceLineEndings("\n"), errors.ToString().ReplaceLineEndings("\n"));
    }

    internal async Task<string> PrintAsync(params string[] args)
    {
        var (exitCode, output, errors) = await RunAsync(args);
        Assert.Equal((0, ""), (exitCode, errors));
        return output;
    }

    internal async Task<JsonNode> DataAsync(params string[] args) =>
        JsonNode.Parse(await PrintAsync([.. args, "--json"]))!;

    internal async Task<string> FailAsync(params string[] args)
    {
        var (exitCode, output, errors) = await RunAsync(args);
        Assert.Equal((1, ""), (exitCode, output));
        return errors;
    }
}
