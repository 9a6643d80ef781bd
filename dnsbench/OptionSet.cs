using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// The options of one command: name, default and meaning. A default of "" is none, of "no" makes a switch.
/// </summary>
internal sealed class OptionSet(params (string Name, string Default, string Meaning)[] options)
{
    internal const string Switch = "no";

    /// <summary>The same options and another one.</summary>
    internal OptionSet With((string Name, string Default, string Meaning) option) => new([.. options, option]);

    /// <summary>One line for each option.</summary>
    internal string Describe() => string.Join('\n', options.Select(option => option.Default switch
    {
        Switch => $"  --{option.Name,-22} {option.Meaning}",
        "" => $"  --{option.Name + " X",-22} {option.Meaning}",
        _ => $"  --{option.Name + " X",-22} {option.Meaning} [{option.Default}]",
    }));

    /// <summary>Reads arguments; an unknown one is an error.</summary>
    internal OptionValues Parse(string[] args)
    {
        Dictionary<string, string> values = options.ToDictionary(option => option.Name, option => option.Default);
        for (int i = 0; i < args.Length; i++)
        {
            string name = args[i].StartsWith("--", StringComparison.Ordinal) ? args[i][2..] : "";
            if (!values.ContainsKey(name)) throw new UsageException($"unknown option {args[i]}");
            bool isSwitch = options.First(option => option.Name == name).Default == Switch;
            if (!isSwitch && i + 1 == args.Length) throw new UsageException($"{args[i]} wants a value");
            values[name] = isSwitch ? "yes" : args[++i];
        }
        return new OptionValues(values);
    }
}

/// <summary>What was typed for the options of a command, and defaults for the rest.</summary>
internal sealed class OptionValues(Dictionary<string, string> values)
{
    internal string this[string name] => values[name];

    internal bool Has(string name) => values[name] is not ("" or OptionSet.Switch);

    internal int Int(string name) =>
        int.TryParse(values[name], NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out int value) && value >= 0
            ? value : throw new UsageException($"--{name} wants a whole number, not \"{values[name]}\"");

    internal double Number(string name) =>
        double.TryParse(values[name], CultureInfo.InvariantCulture, out double value) && value >= 0
            ? value : throw new UsageException($"--{name} wants a number, not \"{values[name]}\"");

    internal string[] List(string name) =>
        values[name].Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
