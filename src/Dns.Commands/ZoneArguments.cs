using System.CommandLine.Parsing;

namespace Dns.Commands;

/// <summary>The arguments NAME and FILE of the zone commands.</summary>
internal sealed class ZoneArguments
{
    private readonly Argument<string> _name =
        new("NAME") { Description = "The zone, such as example.com; . is the root." };
    private readonly Argument<string> _file = new("FILE") { Description = "Its zone file." };

    public void AddTo(Command command)
    {
        _name.Validators.Add(Check);
        command.Add(_name);
        command.Add(_file);
        command.Validators.Add(CheckOrder);
    }

    public (DomainName Zone, string File) Read(ParseResult result)
    {
        DomainName zone = DomainName.Parse(result.GetRequiredValue(_name));
        Warn(zone, result);
        return (zone, result.GetRequiredValue(_file));
    }

    /// <summary>Warns of a name that is probably misspelled.</summary>
    internal static void Warn(DomainName zone, ParseResult result)
    {
        if (UnusualZoneName.Find(zone) is { } message)
            result.InvocationConfiguration.Error.WriteLine("dnsd: warning: " + message);
    }

    private void CheckOrder(CommandResult result)
    {
        // By their tokens: reading a value before validation would skip it.
        if (result.GetResult(_name)?.Tokens is [var name] && result.GetResult(_file)?.Tokens is [var file]
            && File.Exists(name.Value) && !File.Exists(file.Value))
            result.AddError($"\"{name.Value}\" is a file: expected NAME, then FILE");
    }

    private static void Check(ArgumentResult result)
    {
        foreach (Token token in result.Tokens)
            if (!ZonesSetting.TryParseName(token.Value, out _)) result.AddError(ZonesSetting.NotAName(token.Value));
    }
}
