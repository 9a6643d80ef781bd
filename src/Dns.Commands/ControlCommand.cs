using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Dns.Commands;

/// <summary>A command for the running server: its options, and its request.</summary>
internal static class ControlCommand
{
    // For terminals and jq, not for HTML, so HTML characters are not escaped.
    private static readonly JsonWriterOptions Readable =
        new() { Indented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <param name="request">The command of the control socket.</param>
    /// <param name="symbols">Its arguments and options, in the server's order.</param>
    /// <param name="isInView">Whether it is about one view, or all.</param>
    /// <param name="untilTheEnd">Whether to wait, after the answer, for the end of the server.</param>
    public static Command Create(
        string name, string request, string description, IReadOnlyList<ControlArgument> symbols,
        bool untilTheEnd = false, bool isInView = false)
    {
        Option<string?> socket = new("--socket")
        {
            Description = "The control socket of the server. Default: that of the server on this machine.",
            HelpName = "PATH",
        };
        Option<string?> config =
            new("--config", "-c") { Description = "The server with this settings file.", HelpName = "FILE" };
        Option<string?> view = ViewOption();
        Option<bool> json = new("--json") { Description = "Print JSON." };
        Command command = new(name, description);
        foreach (ControlArgument symbol in symbols) symbol.AddTo(command);
        if (isInView) command.Add(view);
        command.Add(socket);
        command.Add(config);
        command.Add(json);
        command.SetAction(async (result, cancellation) =>
        {
            TextWriter output = result.InvocationConfiguration.Output;
            try
            {
                string path = SocketPath(
                    result.GetValue(socket), result.GetValue(config), result.InvocationConfiguration.Error);
                ControlRequest sent = new(request)
                {
                    Arguments = [.. symbols.Select(symbol => symbol.Read(result))],
                    WantsData = result.GetValue(json),
                    View = isInView ? result.GetValue(view) : null,
                };
                await using Stream stream = await ControlClient.ConnectAsync(path, cancellation);
                ControlReply reply = await ControlClient.SendAsync(path, stream, sent, cancellation);
                if (reply.Error is not null) throw new ControlException(reply.Error);
                if (reply.Data is { } data) output.WriteLine(TextOf(data));
                output.Write(reply.Text);
                if (untilTheEnd) await ControlClient.WaitForEndAsync(stream, cancellation);
                return reply.IsBad ? ExitCode.Bad : ExitCode.Good;
            }
            catch (ControlException error)
            {
                foreach (string line in error.Message.Split('\n'))
                    result.InvocationConfiguration.Error.WriteLine("dnsd: error: " + line);
                return ExitCode.Bad;
            }
        });
        return command;
    }

    /// <summary>The view that a command is about.</summary>
    internal static Option<string?> ViewOption() => new("--view")
    {
        Description = "The view. Without it the default one, or all.",
        HelpName = "VIEW",
    };

    /// <summary>Indented JSON from a writer: reflection-based serializers do not survive trimming.</summary>
    internal static string TextOf(JsonElement data)
    {
        ArrayBufferWriter<byte> text = new();
        using (Utf8JsonWriter json = new(text, Readable)) data.WriteTo(json);
        return Encoding.UTF8.GetString(text.WrittenSpan);
    }

    /// <summary>The control socket to connect to.</summary>
    /// <param name="socket">The given socket; null = none.</param>
    /// <param name="config">The settings file; null = that of the running server.</param>
    /// <param name="errors">Receives a warning if the settings have errors.</param>
    /// <exception cref="ControlException">There is none, or the settings do not say where it is.</exception>
    internal static string SocketPath(string? socket, string? config, TextWriter errors)
    {
        bool isPath = socket is { Length: > 0 } && !OperatingSystem.IsWindows();
        if (socket is not null) return isPath ? Path.GetFullPath(socket) : socket;
        return config is null ? FindConfigured(errors) ?? ControlClient.FindServer() : SocketPath(Read(config), errors);
    }

    /// <summary>
    /// The control socket that the settings name which a start would use here; null if they name none, or no server
    /// runs there.
    /// </summary>
    /// <param name="errors">
    /// Receives a warning if the settings cannot be read, and a note if no server runs there, but another one does.
    /// </param>
    /// <exception cref="ControlException">Another user may have put the settings there.</exception>
    internal static string? FindConfigured(TextWriter errors)
    {
        SettingsArguments none = new();
        string? file = none.Paths.Find(none).File;
        // A pipe, which another user may have put there, would be waited for.
        if (file is not null && ControlTrust.IsNoRegularFile(file)) return null;
        Settings settings = Read(null);
        bool isTrusted = file is null || ControlTrust.IsFileOfRootOrUs(file);
        if (isTrusted && file is not null && !settings.LocatesServer && settings.Problems is [var problem, ..])
            errors.WriteLine($"dnsd: warning: {problem}");
        if (!settings.LocatesServer || settings.Options.Control.Socket is not { } path
            || path == ControlOptions.Automatic) return null;
        IReadOnlyList<string> others = ControlClient.FindServers();
        if (!ControlClient.IsRunning(path))
        {
            if (isTrusted && others is [var other])
                errors.WriteLine($"dnsd: note: no server runs on {path}, which {file ?? "the environment"} names; "
                    + $"this is about the one on {other}");
            return null;
        }
        // One that is found without the settings is trusted by itself.
        if (isTrusted || others.Contains(path)) return path;
        throw new ControlException($"{file} belongs to another user, so that its control socket is not used: "
            + $"if this is your server, expected --config {file}");
    }

    private static Settings Read(string? config) =>
        SettingsReader.Read(new SettingsArguments { ConfigFile = config }, Environment.GetEnvironmentVariables());

    /// <summary>The control socket of the server with these settings.</summary>
    /// <exception cref="ControlException">There is none, or the settings do not say where it is.</exception>
    internal static string SocketPath(Settings settings, TextWriter errors)
    {
        if (!settings.LocatesServer)
            throw new ControlException(string.Join('\n', settings.Problems)
                + "\nthese settings do not say where the server is: expected --socket PATH instead");
        string found = settings.Options.Control.Socket switch
        {
            null =>
                throw new ControlException($"{settings.File}: the server has no control socket (Dns:Control:Socket)"),
            ControlOptions.Automatic => ControlClient.FindServer(settings.Options.Listen[0].EndPoint.Port),
            { } path => path,
        };
        // A server runs on with the settings that it has: an edit with a mistake must not keep commands from it.
        if (settings.Problems is [var first, ..])
            errors.WriteLine($"dnsd: warning: the settings have {Counted.Of(settings.Problems.Count, "error")}, "
                + $"the first is {first}");
        return found;
    }
}
