using System.CommandLine.Completions;

namespace Dns.Commands;

/// <summary>
/// Completion scripts of shells. They contain the commands and options of this program; for names of served zones they
/// run it, and it queries the running server. Without a match, the shell offers files.
/// </summary>
internal static class CompletionScript
{
    public static readonly string[] Shells = ["bash", "zsh", "fish", "powershell"];

    public static string Of(string shell, Command root)
    {
        List<(string Path, Command Command)> commands = [];
        Collect(root, "", commands);
        StringBuilder script = new();
        if (shell == "fish") WriteFish(commands, script);
        else if (shell == "powershell") WritePowerShell(commands, script);
        else WriteCases(commands, shell == "zsh", script);
        return script.ToString();
    }

    /// <summary>Every command with the words before it, each after a space.</summary>
    private static void Collect(Command command, string path, List<(string, Command)> commands)
    {
        commands.Add((path, command));
        foreach (Command inner in command.Subcommands)
            if (!inner.Hidden) Collect(inner, path + " " + inner.Name, commands);
    }

    private static IEnumerable<Option> OptionsOf(Command command) => command.Options.Where(option => !option.Hidden);

    private static IEnumerable<string> NamesOf(Command command) =>
        OptionsOf(command).Select(option => option.Name).Append("--help").Distinct();

    /// <summary>The possible next words: commands, values of an argument; else options. Empty = a file.</summary>
    private static IEnumerable<string> WordsOf(Command command)
    {
        string[] words =
            [.. command.Subcommands.Where(inner => !inner.Hidden).Select(inner => inner.Name),
                .. command.Arguments.SelectMany(ValuesOf)];
        return words.Length > 0 || command.Arguments.Any(argument => argument.Name == "FILE")
            ? words : NamesOf(command);
    }

    private static IEnumerable<string> ValuesOf(Symbol symbol) =>
        symbol.GetCompletions(CompletionContext.Empty).Select(item => item.Label);

    private static bool TakesZone(Command command) => command.Arguments.Any(argument => argument is ServedZoneArgument);

    private static bool TakesValue(Option option) =>
        option.Arity.MaximumNumberOfValues > 0 && option.ValueType != typeof(bool);

    private static void WriteCases(List<(string Path, Command Command)> commands, bool isZsh, StringBuilder script)
    {
        string nested = string.Join(" | ", commands.Skip(1).Select(one => $"'{one.Path}'"));
        script.Append(isZsh ? "#compdef dnsd\n" : "# Completion of dnsd for bash.\n");
        script.Append("_dnsd() {\n  local at='' word all='' options=''\n");
        script.Append(isZsh
            ? "  local now=\"${words[CURRENT]}\" before=\"${words[CURRENT-1]}\"\n  for word in " +
                "\"${(@)words[2,CURRENT-1]}\"; do\n"
            : "  local now=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                + "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n");
        script.Append($"    case \"$at $word\" in {nested}) at=\"$at $word\" ;; esac\n  done\n");
        script.Append("  case \"$at\" in\n");
        foreach (var (path, command) in commands)
            script.Append(
                $"    '{path}') all='{string.Join(' ', WordsOf(command))}' " +
                    $"options='{string.Join(' ', NamesOf(command))}' ;;\n");
        script.Append("  esac\n");
        string asked =
            string.Join(" | ", commands.Where(one => TakesZone(one.Command)).Select(one => $"'{one.Path}'"));
        string program = isZsh ? "${words[1]}" : "${COMP_WORDS[0]}";
        script.Append(
            $"  case \"$at\" in {asked}) all=\"$(\"{program}\" {ZoneNamesCommand.Name} -- \"$now\" " +
                $"2>/dev/null)\" ;; esac\n");
        script.Append("  case \"$now\" in -*) all=\"$options\" ;; esac\n");
        WriteValues(commands, script);
        script.Append(isZsh
            ? "  compadd -- ${=all}\n  _files\n}\n_dnsd \"$@\"\n"
            : "  COMPREPLY=($(compgen -W \"$all\" -- \"$now\"))\n}\ncomplete -o default -o bashdefault -F _dnsd " +
                "dnsd\n");
    }

    /// <summary>An option is followed by its value, or a file.</summary>
    private static void WriteValues(List<(string Path, Command Command)> commands, StringBuilder script)
    {
        script.Append("  case \"$at $before\" in\n");
        foreach (var (path, command) in commands)
            foreach (Option option in OptionsOf(command).Where(TakesValue))
                foreach (string name in option.Aliases.Prepend(option.Name).Distinct())
                    script.Append($"    '{path} {name}') all='{string.Join(' ', ValuesOf(option))}' ;;\n");
        script.Append("  esac\n");
    }

    private static void WriteFish(List<(string Path, Command Command)> commands, StringBuilder script)
    {
        script.Append("# Completion of dnsd for fish.\n");
        foreach (var (path, command) in commands)
        {
            string[] words = path.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            string seen = string.Join("; and ", words.Select(word => "__fish_seen_subcommand_from " + word));
            string names =
                string.Join(' ', command.Subcommands.Where(inner => !inner.Hidden).Select(inner => inner.Name));
            foreach (Command inner in command.Subcommands.Where(inner => !inner.Hidden))
            {
                string condition = words.Length == 0
                    ? "__fish_use_subcommand" : $"{seen}; and not __fish_seen_subcommand_from {names}";
                script.Append($"complete -c dnsd -n '{condition}' -f -a {inner.Name} -d {Quote(inner.Description)}\n");
            }
            string here = words.Length == 0 ? "__fish_use_subcommand" : seen;
            string values = string.Join(' ', command.Arguments.SelectMany(ValuesOf));
            if (values.Length > 0) script.Append($"complete -c dnsd -n '{here}' -f -a '{values}'\n");
            if (TakesZone(command))
                script.Append(
                    $"complete -c dnsd -n '{here}' -f -a '(dnsd {ZoneNamesCommand.Name} -- (commandline -ct) " +
                        $"2>/dev/null)'\n");
            foreach (Option option in OptionsOf(command))
            {
                string name = option.Name.StartsWith("--", StringComparison.Ordinal)
                    ? "-l " + option.Name[2..] : "-s " + option.Name.TrimStart('-');
                string of = string.Join(' ', ValuesOf(option));
                string value = !TakesValue(option) ? "" : of.Length > 0 ? $" -x -a '{of}'" : " -r";
                script.Append($"complete -c dnsd -n '{here}' {name}{value} -d {Quote(option.Description)}\n");
            }
        }
    }

    private static void WritePowerShell(List<(string Path, Command Command)> commands, StringBuilder script)
    {
        script.Append("# Completion of dnsd for PowerShell.\n");
        script.Append(
            "Register-ArgumentCompleter -Native -CommandName dnsd, dnsd.exe -ScriptBlock {\n  param($word, " +
                "$ast, $cursor)\n");
        script.Append("  $all = @{\n");
        foreach (var (path, command) in commands) script.Append($"    '{path}' = {ListOf(WordsOf(command))}\n");
        script.Append("  }\n  $options = @{\n");
        foreach (var (path, command) in commands) script.Append($"    '{path}' = {ListOf(NamesOf(command))}\n");
        script.Append("  }\n  $values = @{\n");
        foreach (var (path, command) in commands)
            foreach (Option option in OptionsOf(command).Where(TakesValue))
                foreach (string name in option.Aliases.Prepend(option.Name).Distinct())
                    script.Append($"    '{path} {name}' = {ListOf(ValuesOf(option))}\n");
        string zones = ListOf(commands.Where(one => TakesZone(one.Command)).Select(one => one.Path));
        script.Append($$"""
              }
              $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
              $at = ''
              $before = ''
              foreach ($one in ($words | Select-Object -Skip 1)) {
                $before = $one
                if ($all.ContainsKey("$at $one")) { $at = "$at $one" }
              }
              $found = @()
              if ($values.ContainsKey("$at $before")) { $found = $values["$at $before"] }
              elseif ("$word".StartsWith('-')) { $found = $options[$at] }
              elseif ({{zones}} -contains $at) { $found = @(& $words[0] {{ZoneNamesCommand.Name}} '--' "$word" 2>$null) }
              else { $found = $all[$at] }
              $found | Where-Object { $_.StartsWith("$word", [System.StringComparison]::OrdinalIgnoreCase) } |
                ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
            }

            """.ReplaceLineEndings("\n"));
    }

    private static string ListOf(IEnumerable<string> words) =>
        $"@({string.Join(", ", words.Select(word => $"'{word}'"))})";

    private static string Quote(string? text) => "'" + (text ?? "").Replace("\\", "\\\\").Replace("'", "\\'") + "'";
}
