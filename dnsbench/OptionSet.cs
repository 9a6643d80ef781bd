using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// The options of one command: name, default and meaning. A default of "" is none, "no" makes a switch.
/// </summary>
internal sealed class OptionSet(params (string Name, string Default, string Meaning)[] options)
{
    internal const string Switch = "no";

    /// <summary>The same options and more.</summary>
    internal OptionSet With(params (string Name, string Default, string Meaning)[] more) => new([.. options, .. more]);

    /// <summary>The command that takes these options.</summary>
    internal Command ToCommand(string name, string summary)
    {
        Command command = new(name, summary) { new HelpOption() };
        foreach ((string option, string value, string meaning) in options)
            command.Add(ToOption(option, value, meaning));
        return command;
    }

    private static Option ToOption(string name, string value, string meaning)
    {
        if (value == Switch) return new Option<bool>("--" + name) { Description = meaning };
        Option<string> option = new("--" + name) { Description = meaning, HelpName = "X" };
        if (value != "") option.DefaultValueFactory = _ => value;
        return option;
    }
}

/// <summary>The given options of a command, and defaults for the rest.</summary>
internal sealed class OptionValues(ParseResult values)
{
    internal string this[string name] => values.GetValue<string>("--" + name) ?? "";

    internal bool Has(string name) => values.CommandResult.Command.Options
        .First(option => option.Name == "--" + name) switch
    {
        Option<bool> option => values.GetValue(option),
        _ => this[name].Length > 0,
    };

    internal int Int(string name) =>
        int.TryParse(this[name], NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out int value) && value >= 0
            ? value : throw new UsageException($"--{name} wants a whole number, not \"{this[name]}\"");

    internal double Number(string name) =>
        double.TryParse(this[name], CultureInfo.InvariantCulture, out double value) && value >= 0
            ? value : throw new UsageException($"--{name} wants a number, not \"{this[name]}\"");

    internal string[] List(string name) =>
        this[name].Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
