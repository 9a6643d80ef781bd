using System.CommandLine.Parsing;

namespace Dns.Commands;

/// <summary>The argument NAME and the options --keys and --config of the key commands.</summary>
internal sealed class KeysArguments
{
    private readonly Argument<string> _name =
        new("NAME") { Description = "The zone, such as example.com; . is the root." };

    private readonly Option<string?> _keys = new("--keys", "-k")
    {
        Description = "The folder of the key files. Without it that of the server: keys in Dns:StateDirectory.",
        HelpName = "DIR",
    };

    private readonly Option<string?> _config = new("--config", "-c")
    {
        Description = "The settings file of the server whose keys they are.",
        HelpName = "FILE",
    };

    private Settings? _settings;

    public void AddTo(Command command)
    {
        _name.Validators.Add(Check);
        command.Add(_name);
        command.Add(_keys);
        command.Add(_config);
    }

    public DomainName Zone(ParseResult result) => DomainName.Parse(result.GetRequiredValue(_name));

    /// <summary>Whether a folder is given on the command line.</summary>
    public bool IsGiven(ParseResult result) => result.GetValue(_keys) is { Length: > 0 };

    public string? Config(ParseResult result) => result.GetValue(_config);

    /// <summary>The settings, read once: the file may be a pipe.</summary>
    public Settings Settings(ParseResult result) =>
        _settings ??= SettingsReader.Read(Arguments(result), Environment.GetEnvironmentVariables());

    /// <summary>The folder; null after writing an error if there is none.</summary>
    public string? Folder(ParseResult result)
    {
        if (result.GetValue(_keys) is { Length: > 0 } given) return given;
        Settings settings = Settings(result);
        TextWriter errors = result.InvocationConfiguration.Error;
        // With errors, the state directory may be another one than that of the server.
        foreach (var problem in settings.Problems) errors.WriteLine($"dnsd: error: {problem}");
        if (settings.Problems.Count > 0) return null;
        if (StateDirectory.Of(Arguments(result), settings, Environment.GetEnvironmentVariables()) is { } state)
            return Path.Combine(state, "keys");
        errors.WriteLine("dnsd: error: the settings keep no state (Dns:StateDirectory): expected --keys DIR");
        return null;
    }

    /// <summary>
    /// Notes that files were written for a server that may not be able to read them, since it runs as another user.
    /// </summary>
    public void NoteOwner(ParseResult result, string folder)
    {
        string directory = Path.GetDirectoryName(folder) ?? folder;
        if (IsGiven(result) || !OperatingSystem.IsLinux()
            || FileCalls.FactsOf(directory, follows: true) is not { } state
            || state.User == FileCalls.EffectiveUser()) return;
        string? target = FileCalls.FactsOf(folder) is { IsSymlink: true } ? FileCalls.RealPathOf(folder) : null;
        result.InvocationConfiguration.Error.WriteLine($"dnsd: note: {directory} belongs to another user: for a server "
            + $"that runs as that one, chown -R --reference={WordOf(directory)} {WordOf(directory)}"
            + (target is null ? "" : " " + WordOf(target)));
    }

    /// <summary>A directory as a word for a shell: without the slash, chown -R changes a symlink alone.</summary>
    private static string WordOf(string directory) =>
        "'" + Path.TrimEndingDirectorySeparator(directory).Replace("'", "'\\''", StringComparison.Ordinal) + "/'";

    /// <summary>Reads the keys of the zone; null after writing errors if one is unreadable.</summary>
    public KeyFolder? Read(ParseResult result)
    {
        if (Folder(result) is not { } path) return null;
        KeyFolder folder = KeyFolder.Read(path, Zone(result));
        foreach (TextFault fault in folder.Errors)
            result.InvocationConfiguration.Error.WriteLine($"dnsd: error: {fault}");
        if (folder.Errors.Count == 0) return folder;
        folder.Dispose();
        return null;
    }

    private SettingsArguments Arguments(ParseResult result) => new() { ConfigFile = Config(result) };

    private static void Check(ArgumentResult result)
    {
        foreach (Token token in result.Tokens)
            if (!ZonesSetting.TryParseName(token.Value, out _)) result.AddError(ZonesSetting.NotAName(token.Value));
    }
}
