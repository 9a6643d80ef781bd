using System.CommandLine.Parsing;

namespace Dns.Commands;

/// <summary>An argument or option of a control command, and how it is sent.</summary>
internal sealed class ControlArgument
{
    private readonly Symbol _symbol;
    private readonly Func<ParseResult, string?> _read;

    private ControlArgument(Symbol symbol, Func<ParseResult, string?> read) => (_symbol, _read) = (symbol, read);

    /// <summary>A required word.</summary>
    public static ControlArgument Word(string name, string description, Func<string, string?> check) =>
        Make(new Argument<string>(name) { Description = description }, check);

    /// <summary>An optional word.</summary>
    public static ControlArgument OptionalWord(string name, string description, Func<string, string?> check) =>
        Make(new Argument<string?>(name) { Description = description, Arity = ArgumentArity.ZeroOrOne }, check);

    /// <summary>A path, sent as an absolute path, since the server has another working directory.</summary>
    public static ControlArgument File(string name, string description)
    {
        Argument<string> argument = new(name) { Description = description };
        return new ControlArgument(argument, result => Path.GetFullPath(result.GetRequiredValue(argument)));
    }

    /// <summary>The name of a zone or another name.</summary>
    public static ControlArgument DomainName(string description, bool isOptional = false) => isOptional
        ? OptionalWord("NAME", description, CheckName) : Word("NAME", description, CheckName);

    /// <summary>The name of a zone that is new: one that is probably misspelled gets a warning.</summary>
    public static ControlArgument NewZone(string description)
    {
        ControlArgument argument = DomainName(description);
        return new ControlArgument(argument._symbol, result =>
        {
            string name = argument.Read(result)!;
            ZoneArguments.Warn(Protocol.Names.DomainName.Parse(name), result);
            return name;
        });
    }

    public static ControlArgument ServedZone(string description) =>
        Make(new ServedZoneArgument("NAME") { Description = description }, CheckName);

    public static ControlArgument OneOf(string name, string description, params string[] words)
    {
        Argument<string> argument = new(name) { Description = description };
        argument.CompletionSources.Add(words);
        return Make(argument, word => words.Contains(word, StringComparer.OrdinalIgnoreCase)
            ? null : $"\"{word}\": expected one of {string.Join(", ", words)}");
    }

    public static ControlArgument Flag(string name, string description)
    {
        Option<bool> option = new(name) { Description = description };
        return new ControlArgument(option, result => result.GetValue(option) ? "true" : null);
    }

    /// <summary>An option with a value.</summary>
    public static ControlArgument Value<T>(string name, string help, string description, Func<T, bool> isGood,
        string expected)
    {
        Option<T> option = new(name) { Description = description, HelpName = help };
        option.Validators.Add(found =>
        {
            if (found.Tokens.Count > 0 && !IsGood(found)) found.AddError($"{name}: expected {expected}");
        });
        return new ControlArgument(option, result => result.GetResult(option) is null
            ? null : Convert.ToString(result.GetValue(option), CultureInfo.InvariantCulture));

        bool IsGood(OptionResult found)
        {
            try
            {
                return isGood(found.GetValueOrDefault<T>()!);
            }
            catch (InvalidOperationException)
            {
                // The parser reports a value of a wrong type in this way.
                return false;
            }
        }
    }

    public void AddTo(Command command)
    {
        if (_symbol is Option option) command.Add(option);
        else command.Add((Argument)_symbol);
    }

    /// <summary>Its value; null if omitted.</summary>
    public string? Read(ParseResult result) => _read(result);

    private static ControlArgument Make<T>(Argument<T> argument, Func<string, string?> check) where T : class?
    {
        argument.Validators.Add(found =>
        {
            foreach (var token in found.Tokens)
                if (check(token.Value) is { } problem) found.AddError(problem);
        });
        return new ControlArgument(argument, result => result.GetValue(argument) as string);
    }

    private static string? CheckName(string text) =>
        ZonesSetting.TryParseName(text, out _) ? null : ZonesSetting.NotAName(text);
}
