using System.CommandLine;
using System.Text;

namespace Dns.Server;

/// <summary>
/// Scripts by which a shell completes the words of a command line. They hold the verbs and options of the program that
/// made them and ask nobody while somebody types; where no word fits, the shell offers files.
/// </summary>
internal static class CompletionScript
{
    /// <summary>The shells that there is a script for.</summary>
    public static readonly string[] Shells = ["bash", "zsh", "fish"];

    /// <summary>The script for a shell.</summary>
    public static string Of(string shell, Command root)
    {
        List<(string Path, Command Command)> verbs = [];
        Collect(root, "", verbs);
        StringBuilder script = new();
        if (shell == "fish") WriteFish(verbs, script);
        else WriteCases(verbs, shell == "zsh", script);
        return script.ToString();
    }

    /// <summary>Every verb with the words that lead to it, each word behind a space.</summary>
    private static void Collect(Command command, string path, List<(string, Command)> verbs)
    {
        verbs.Add((path, command));
        foreach (Command inner in command.Subcommands)
            if (!inner.Hidden) Collect(inner, path + " " + inner.Name, verbs);
    }

    private static IEnumerable<Option> OptionsOf(Command command) => command.Options.Where(option => !option.Hidden);

    private static IEnumerable<string> WordsOf(Command command) =>
        command.Subcommands.Where(inner => !inner.Hidden).Select(inner => inner.Name)
            .Concat(command.Arguments.SelectMany(argument => argument.GetCompletions(
                System.CommandLine.Completions.CompletionContext.Empty).Select(item => item.Label)))
            .Concat(OptionsOf(command).Select(option => option.Name))
            .Append("--help").Distinct();

    private static void WriteCases(List<(string Path, Command Command)> verbs, bool isZsh, StringBuilder script)
    {
        string nested = string.Join(" | ", verbs.Skip(1).Select(verb => $"'{verb.Path}'"));
        script.Append(isZsh ? "#compdef dnsd\n" : "# Completion of dnsd for bash.\n");
        script.Append("_dnsd() {\n  local at='' word all=''\n");
        script.Append(isZsh
            ? "  for word in \"${(@)words[2,CURRENT-1]}\"; do\n"
            : "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n");
        script.Append($"    case \"$at $word\" in {nested}) at=\"$at $word\" ;; esac\n  done\n");
        script.Append("  case \"$at\" in\n");
        foreach (var (path, command) in verbs) script.Append($"    '{path}') all='{string.Join(' ', WordsOf(command))}' ;;\n");
        script.Append("  esac\n");
        script.Append(isZsh
            ? "  compadd -- ${=all}\n  _files\n}\n_dnsd \"$@\"\n"
            : "  COMPREPLY=($(compgen -W \"$all\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"
                + "complete -o default -o bashdefault -F _dnsd dnsd\n");
    }

    private static void WriteFish(List<(string Path, Command Command)> verbs, StringBuilder script)
    {
        script.Append("# Completion of dnsd for fish.\n");
        foreach (var (path, command) in verbs)
        {
            string[] words = path.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            string seen = string.Join("; and ", words.Select(word => "__fish_seen_subcommand_from " + word));
            string names = string.Join(' ', command.Subcommands.Where(inner => !inner.Hidden).Select(inner => inner.Name));
            foreach (Command inner in command.Subcommands.Where(inner => !inner.Hidden))
            {
                string condition = words.Length == 0
                    ? "__fish_use_subcommand" : $"{seen}; and not __fish_seen_subcommand_from {names}";
                script.Append($"complete -c dnsd -n '{condition}' -f -a {inner.Name} -d {Quote(inner.Description)}\n");
            }
            string here = words.Length == 0 ? "__fish_use_subcommand" : seen;
            foreach (Option option in OptionsOf(command))
            {
                string name = option.Name.StartsWith("--", StringComparison.Ordinal)
                    ? "-l " + option.Name[2..] : "-s " + option.Name.TrimStart('-');
                string value = option.Arity.MaximumNumberOfValues > 0 && option.ValueType != typeof(bool) ? " -r" : "";
                script.Append($"complete -c dnsd -n '{here}' {name}{value} -d {Quote(option.Description)}\n");
            }
        }
    }

    private static string Quote(string? text) => "'" + (text ?? "").Replace("\\", "\\\\").Replace("'", "\\'") + "'";
}
