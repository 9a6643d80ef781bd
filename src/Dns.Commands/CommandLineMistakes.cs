using System.CommandLine.Parsing;

namespace Dns.Commands;

/// <summary>Explains errors in a command line, with a suggested word.</summary>
internal static class CommandLineMistakes
{
    /// <summary>Commands of other programs, and their equivalents here.</summary>
    private static readonly Dictionary<string, string> Foreign = new(StringComparer.Ordinal)
    {
        ["help"] = "--help", ["version"] = "--version", ["-v"] = "--version", ["-V"] = "--version", ["start"] = "run",
        ["dig"] = "query",
        ["list"] = "zones", ["zone list"] = "zones", ["flush"] = "cache flush", ["checkconf"] = "check",
        ["configtest"] = "check", ["checkzone"] = "zone check", ["dump"] = "zone dump", ["cache dump"] = "cache lookup",
    };

    /// <summary>One line for each error. Of unexpected words only the first: it explains the others.</summary>
    public static IReadOnlyList<string> Of(ParseResult result)
    {
        Command command = result.CommandResult.Command;
        List<string> lines = [];
        if (FindParent(result) is { } parent)
            lines.Add($"\"{result.UnmatchedTokens[0]}\": did you mean \"{parent.Name}\"?");
        else if (FindUnknownOption(result) is { } option) return [Unknown(command, option) + HintOfDashes(command)];
        else if (result.UnmatchedTokens.Count > 0) lines.Add(Unknown(command, result.UnmatchedTokens[0]));
        else if (command is not RootCommand && command.Subcommands.Count > 0)
            lines.Add($"\"{PathOf(command)}\": expected one of {string.Join(", ", NamesOf(command))}");
        else if (Missing(result.CommandResult) is { Length: > 0 } missing)
            lines.Add($"\"{PathOf(command)}\": expected {missing}");
        bool isReported = lines.Count > 0;
        // Of two errors about one word the first is the parser's, in terms of types.
        foreach (IGrouping<SymbolResult?, ParseError> errors in result.Errors.GroupBy(error => error.SymbolResult))
            if (errors.Key is OptionResult { Tokens.Count: 0 } option)
                lines.Add(
                    $"{option.IdentifierToken?.Value ?? option.Option.Name}: expected " +
                        $"{option.Option.HelpName ?? "a value"}");
            else if (!isReported || errors.Key is OptionResult or ArgumentResult { Tokens.Count: > 0 })
                lines.Add(errors.Last().Message.ReplaceLineEndings(" ").Replace("\t", ""));
        return lines;
    }

    /// <summary>
    /// The command whose mistyped name is the first word, before the name of one of its own commands, such as
    /// <c>zon check</c>; null if there is none. The parser finds another command of that name, or none.
    /// </summary>
    public static Command? FindParent(ParseResult result)
    {
        if (result.Tokens is not [var first, var second, ..] || !result.UnmatchedTokens.Contains(first.Value))
            return null;
        Command[] parents = [.. result.RootCommandResult.Command.Subcommands
            .Where(command => NamesOf(command).Contains(second.Value))];
        string? near = NearestName.Find(first.Value, parents.Select(command => command.Name));
        return Array.Find(parents, command => command.Name == near);
    }

    /// <summary>
    /// The first word like an option that the parser took as an argument or as the value of an option; null if there is
    /// none. Such an argument goes after <c>--</c>.
    /// </summary>
    public static string? FindUnknownOption(ParseResult result)
    {
        int end = result.Tokens.ToList().FindIndex(token => token.Type == TokenType.DoubleDash);
        HashSet<Token> before = new(end < 0 ? result.Tokens : result.Tokens.Take(end),
            ReferenceEqualityComparer.Instance);
        return result.CommandResult.Children
            .SelectMany(child => child.Tokens.Where(token => IsLikeOption(token.Value, child is OptionResult)))
            .FirstOrDefault(before.Contains)?.Value;
    }

    /// <summary><c>-</c> alone is standard input or output, and the value of an option may be a number.</summary>
    private static bool IsLikeOption(string word, bool isValue) =>
        word is ['-', var second, ..] && !(isValue && (char.IsAsciiDigit(second) || second == '.'));

    private static string HintOfDashes(Command command) =>
        command.Arguments.Count > 0 ? "; an argument that begins with \"-\" goes after \"--\"" : "";

    private static string Unknown(Command command, string word)
    {
        bool isOption = word.StartsWith('-');
        // A mistyped setting may contain a secret, so only its name is repeated.
        string setting = DeclaredSettings.OfProgram.Shown(word.TrimStart('-', '/').Split('=')[0].Replace("__", ":"));
        if (setting.Contains(':') && (isOption || word.Contains('=')))
            return $"--{setting}: expected a value, such as --{setting}=VALUE";
        if (word.IndexOf('=') is > 0 and int equals) word = word[..equals];
        string[] known = isOption
            ? [.. command.Options.SelectMany(option => option.Aliases.Append(option.Name)), "--help"]
            : [.. NamesOf(command)];
        string whole = (PathOf(command) + ' ' + word).TrimStart();
        string guess = Foreign.GetValueOrDefault(whole) is { } foreign ? $"did you mean \"dnsd {foreign}\"?"
            // Of options with one letter each is as near as any other.
            : !(isOption && word.Length <= 2) && NearestName.Find(word, known) is { } near ? $"did you mean \"{near}\"?"
            : command is RootCommand || known.Length == 0
                ? "there is no such " + (isOption ? "option" : "command or argument")
            : "expected one of " + string.Join(", ", known);
        return $"\"{word}\": {guess}";
    }

    /// <summary>The command with its parents, such as <c>zone check</c>; empty for the root.</summary>
    private static string PathOf(Command command)
    {
        if (command is RootCommand) return "";
        string above = command.Parents.OfType<Command>().FirstOrDefault() is { } parent ? PathOf(parent) : "";
        return above.Length == 0 ? command.Name : above + ' ' + command.Name;
    }

    private static IEnumerable<string> NamesOf(Command command) =>
        command.Subcommands.Where(inner => !inner.Hidden).Select(inner => inner.Name);

    /// <summary>The required arguments, such as <c>NAME and FILE</c>, if any is missing; else empty.</summary>
    private static string Missing(CommandResult result)
    {
        Argument[] needed = [.. result.Command.Arguments.Where(argument => argument.Arity.MinimumNumberOfValues > 0)];
        return needed.All(argument => result.GetResult(argument) is { Tokens.Count: > 0 })
            ? "" : string.Join(" and ", needed.Select(argument => argument.Name));
    }
}
