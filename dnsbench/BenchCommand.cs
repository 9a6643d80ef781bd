using System.CommandLine;
using System.CommandLine.Help;

namespace Dns.Bench;

/// <summary>A command of dnsbench.</summary>
/// <param name="Name">Its name on the command line.</param>
/// <param name="Summary">One line for the list of commands.</param>
/// <param name="Options">Its options.</param>
/// <param name="Body">Runs it and returns the exit code.</param>
internal sealed record BenchCommand(string Name, string Summary, OptionSet Options, Func<OptionValues, Task<int>> Body)
{
    /// <summary>Reads the arguments and runs it, or prints its help.</summary>
    internal async Task<int> Run(string[] args)
    {
        Command command = Options.ToCommand(Name, Summary);
        command.SetAction((values, _) => Body(new OptionValues(values)));
        ParseResult read = command.Parse(args);
        if (read.Errors.Count > 0 && read.Action is not HelpAction) throw new UsageException(read.Errors[0].Message);
        return await read.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false });
    }
}

/// <summary>The command line is malformed; the message is for the user.</summary>
internal sealed class UsageException(string message) : Exception(message);
