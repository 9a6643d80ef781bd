namespace Dns.Commands;

/// <summary>Marks optional arguments in help and manual: <c>[TYPE]</c>, but <c>&lt;NAME&gt;</c>.</summary>
internal static class OptionalArguments
{
    /// <summary>The arguments of a command for the manual: <c>NAME [TYPE...]</c>, each after a space.</summary>
    public static string Of(Command command) => string.Concat(command.Arguments.Select(argument =>
    {
        string name = argument.Name + (argument.Arity.MaximumNumberOfValues > 1 ? "..." : "");
        return IsOptional(argument) ? $" [{name}]" : " " + name;
    }));

    /// <summary>Marks the optional arguments in the parser's help: of the command, and of its subcommands.</summary>
    public static string Mark(string help, Command command)
    {
        string[] lines = help.Split('\n');
        for (int i = 0; i < lines.Length; i++)
        {
            lines[i] = MarkLine(lines[i], command);
            string word = lines[i].TrimStart().Split(' ')[0];
            if (command.Subcommands.FirstOrDefault(inner => inner.Name == word) is { } listed)
                lines[i] = MarkLine(lines[i], listed);
        }
        return string.Join('\n', lines);
    }

    // Keeps the width, so that columns stay aligned.
    private static string MarkLine(string line, Command command) =>
        command.Arguments.Where(IsOptional).Aggregate(line, (text, argument) =>
        text.Replace($"[<{argument.Name}>", $"[{argument.Name}").Replace($"<{argument.Name}>", $"[{argument.Name}]"));

    private static bool IsOptional(Argument argument) => argument.Arity.MinimumNumberOfValues == 0;
}
