using System.CommandLine.Parsing;

namespace Dns.Commands;

/// <summary>The options that select and override settings.</summary>
internal sealed class SettingsOptions(IReadOnlyList<string> overrides)
{
    private readonly Option<string?> _config = new("--config", "-c")
    {
        Description =
            $"The settings file. Without it: ./{SettingsReader.DefaultFile}, else {ServiceSettings.File}, else the " +
                $"examples.",
        HelpName = "FILE",
    };

    private readonly Option<string[]> _listen = new("--listen", "-l")
    {
        Description = "An address to listen on; may be repeated. Replaces Dns:Listen.",
        HelpName = "ADDRESS:PORT",
    };

    private readonly Option<string[]> _zone = new("--zone", "-z")
    {
        Description = "A zone to serve; may be repeated. Replaces Dns:Zones.",
        HelpName = "NAME=FILE",
    };

    /// <summary>Extracts single settings such as <c>--Dns:Identity=ns1</c>, whose names are not fixed here.</summary>
    public static (string[] Words, string[] Overrides) Split(string[] args)
    {
        bool IsOverride(string word) => word.Contains('=')
            && (word.StartsWith("--Dns:", StringComparison.OrdinalIgnoreCase)
                || word.StartsWith("--Serilog:", StringComparison.OrdinalIgnoreCase));
        return ([.. args.Where(word => !IsOverride(word))], [.. args.Where(IsOverride).Select(word => word[2..])]);
    }

    public void AddTo(Command command)
    {
        command.Add(_config);
        _listen.Validators.Add(CheckListen);
        _zone.Validators.Add(CheckZone);
        command.Add(_listen);
        command.Add(_zone);
    }

    public SettingsArguments Read(ParseResult result) => new()
    {
        ConfigFile = result.GetValue(_config),
        Listen = result.GetValue(_listen) ?? [],
        Zones = result.GetValue(_zone) ?? [],
        Overrides = overrides,
    };

    private static void CheckListen(OptionResult result)
    {
        foreach (Token token in result.Tokens)
            if (ForeignAddress.ReadListen(token.Value).Count == 0)
                result.AddError($"--listen {token.Value}: expected an address with a port, such as 127.0.0.1:5335");
    }

    private static void CheckZone(OptionResult result)
    {
        foreach (Token token in result.Tokens)
        {
            int equals = token.Value.IndexOf('=');
            if (equals <= 0 || equals == token.Value.Length - 1)
                result.AddError($"--zone {token.Value}: expected NAME=FILE");
            else if (!ZonesSetting.TryParseName(token.Value[..equals], out _))
                result.AddError($"--zone {token.Value}: {ZonesSetting.NotAName(token.Value[..equals])}");
        }
    }
}
