using System.CommandLine;

namespace Dns.Commands;

/// <summary>Shows in help and manual which arguments may be left out: <c>[TYPE]</c>, but <c>&lt;NAME&gt;</c>.</summary>
internal static class OptionalArguments
{
    /// <summary>The arguments of a command for the manual: <c>NAME [TYPE...]</c>, each behind a space.</summary>
    public static string Of(Command command) => string.Concat(command.Arguments.Select(argument =>
    {
        string name = argument.Name + (argument.Arity.MaximumNumberOfValues > 1 ? "..." : "");
        return IsOptional(argument) ? $" [{name}]" : " " + name;
    }));

    /// <summary>Marks the optional arguments in the help that the parser writes: of the command, and of those that it lists.</summary>
    public static string Mark(string help, Command command)
    {
        string[] lines = help.Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            lines[i] = MarkLine(lines[i], command);
            string word = lines[i].TrimStart().Split(' ')[0];
            if (command.Subcommands.FirstOrDefault(inner => inner.Name == word) is { } listed) lines[i] = MarkLine(lines[i], listed);
        }
        return string.Join('\n', lines);
    }

    // As wide as before, so that the columns stay.
    private static string MarkLine(string line, Command command) => command.Arguments.Where(IsOptional).Aggregate(line, (text, argument) =>
        text.Replace($"[<{argument.Name}>", $"[{argument.Name}").Replace($"<{argument.Name}>", $"[{argument.Name}]"));

    private static bool IsOptional(Argument argument) => argument.Arity.MinimumNumberOfValues == 0;
}
