using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace Dns.Server.Commands;

/// <summary>The command line: commands, options, help and exit codes.</summary>
internal static class DnsdCommand
{
    /// <summary>Parses and runs a command line; returns an <see cref="ExitCode"/>.</summary>
    public static Task<int> InvokeAsync(string[] args, TextWriter output, TextWriter errors)
    {
        // The output may contain control characters from anywhere, which a terminal would execute.
        (output, errors) = (new EscapingWriter(output), new EscapingWriter(errors));
        DeclaredSettings.FindFeatures = ServerFeatures.FindSettings;
        var (words, overrides) = SettingsOptions.Split(args);
        // A start needs no other command: the options of all of them cost it memory and milliseconds.
        bool mayStart = words is [] or ["run", ..] or [['-', ..], ..];
        ParseResult result = Parse(mayStart ? CreateRoot(overrides) : Create(overrides), words);
        if (mayStart && (result.Errors.Count > 0 || result.Action != result.CommandResult.Command.Action))
            result = Parse(Create(overrides), words);
        bool isMalformed = result.Errors.Count > 0 || CommandLineMistakes.FindUnknownOption(result) is not null;
        if (isMalformed && result.Action is not (ExampleHelp or { ClearsParseErrors: true }))
        {
            foreach (string mistake in CommandLineMistakes.Of(result)) errors.WriteLine("dnsd: error: " + mistake);
            string command = CommandLineMistakes.FindParent(result)?.Name ?? PathOf(result.CommandResult);
            errors.WriteLine($"dnsd: try \"dnsd {command}{(command.Length == 0 ? "" : " ")}--help\"");
            return Task.FromResult(ExitCode.Usage);
        }
        return result.InvokeAsync(new InvocationConfiguration
        {
            Output = output,
            Error = errors,
            EnableDefaultExceptionHandler = false,
            // The host handles signals: it lets the server answer pending queries.
            ProcessTerminationTimeout = null,
        });
    }

    // A word that starts with @ is a server to query, not a response file.
    private static ParseResult Parse(RootCommand root, IReadOnlyList<string> words) =>
        root.Parse(words, new ParserConfiguration { ResponseFileTokenReplacer = null });

    /// <summary>The program with the command <c>run</c> only, which may be omitted.</summary>
    private static RootCommand CreateRoot(IReadOnlyList<string> overrides)
    {
        RootCommand root = new("A DNS server: authoritative for its zones, and a forwarder with a cache for listed " +
            "clients.")
        {
            RunCommand.Create(overrides),
        };
        RunCommand.AddTo(root, overrides);
        return root;
    }

    private static RootCommand Create(IReadOnlyList<string> overrides)
    {
        Command zone = new("zone", "Looks at one zone file, or at one zone of the running server.")
        {
            ZoneCheckCommand.Create(), ZoneDumpCommand.Create(), ZoneSignCommand.Create(),
        };
        foreach (Command command in ControlCommands.CreateOfZone()) zone.Add(command);
        RootCommand root = CreateRoot(overrides);
        Command[] commands =
        [
            CheckCommand.Create(overrides),
            zone,
            QueryCommand.Create(),
            TsigCommand.Create(),
            KeysCommand.Create(),
            ServiceCommand.Create(ServiceCommand.OfThisMachine()),
            ImportCommand.Create(StartDiagnostics.Find),
            CompletionCommand.Create(),
            ManualCommand.Create(),
            ZoneNamesCommand.Create(),
            .. ControlCommands.Create(),
        ];
        foreach (Command command in commands) root.Add(command);
        foreach (Option option in root.Options)
            if (option is HelpOption { Action: SynchronousCommandLineAction help })
                option.Action = new ExampleHelp(help);
            else if (option is VersionOption) option.Action = new VersionText();
        return root;
    }

    /// <summary>The words of a command, such as <c>zone status</c>; empty for the program itself.</summary>
    private static string PathOf(CommandResult result)
    {
        string path = "";
        for (CommandResult? command = result; command is { Command: not RootCommand };
            command = command.Parent as CommandResult)
            path = command.Command.Name + (path.Length == 0 ? "" : " ") + path;
        return path;
    }

    /// <summary>The default help with examples.</summary>
    private sealed class ExampleHelp(SynchronousCommandLineAction help) : SynchronousCommandLineAction
    {
        public override bool ClearsParseErrors => true;

        public override int Invoke(ParseResult parseResult)
        {
            TextWriter output = parseResult.InvocationConfiguration.Output;
            StringWriter text = new();
            parseResult.InvocationConfiguration.Output = text;
            int exitCode = help.Invoke(parseResult);
            parseResult.InvocationConfiguration.Output = output;
            output.Write(OptionalArguments.Mark(text.ToString(), parseResult.CommandResult.Command));
            output.WriteLine("Examples:");
            foreach (string line in CommandExamples.Of(PathOf(parseResult.CommandResult)))
                output.WriteLine("  " + line);
            output.WriteLine();
            output.WriteLine("Exit codes:");
            output.WriteLine("  0 good; 1 what was checked or requested is bad; 2 malformed command line;");
            output.WriteLine("  3 what was imported is written, and something blocks the move");
            return exitCode;
        }
    }
}
