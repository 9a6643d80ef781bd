namespace Dns.Bench;

/// <summary>A command of dnsbench.</summary>
/// <param name="Name">The word that is typed.</param>
/// <param name="Summary">One line for the list of commands.</param>
/// <param name="Options">What may follow the word.</param>
/// <param name="Body">Does it and returns the exit code.</param>
internal sealed record Verb(string Name, string Summary, OptionSet Options, Func<OptionValues, Task<int>> Body)
{
    /// <summary>Reads the arguments behind the word and does it, or prints its help.</summary>
    internal async Task<int> Run(string[] args)
    {
        if (args.Any(argument => argument is "--help" or "-h"))
        {
            Console.WriteLine($"dnsbench {Name}: {Summary}\n\n{Options.Describe()}");
            return 0;
        }
        return await Body(Options.Parse(args));
    }
}

/// <summary>The command line is malformed; the message is for who typed it.</summary>
internal sealed class UsageException(string message) : Exception(message);
