using BenchmarkDotNet.Running;

namespace Dns.Bench;

/// <summary>Maps the arguments to a command, a phase, or BenchmarkDotNet with its own arguments.</summary>
internal static class BenchCommandTable
{
    private static readonly BenchCommand[] Commands =
    [
        AllocationsCommand.Command, InstructionsCommand.Command, AnswersCommand.Command, CacheCommand.Command,
        LoadingCommand.Command, PublishCommand.Command, ZoneSetCommand.Command, PreparedCommand.Command,
        RateLimitingCommand.Command, EchoCommand.Command, ServeCommand.Command, LoadCommand.Command,
        PeersCommand.Command, WaitingCommand.Command, ChurnCommand.Command, ReloadCommand.Command, EditCommand.Command,
        TransferCommand.Command, UpdateCommand.Command, SignaturesCommand.Command, SigningCommand.Command,
    ];

    /// <summary>
    /// Runs and returns the exit code: 0 success, 1 a check failed, 2 a malformed command line, 3 the machine cannot
    /// measure it.
    /// </summary>
    internal static async Task<int> Run(string[] args)
    {
        try
        {
            return await Dispatch(args);
        }
        catch (UsageException error)
        {
            Console.Error.WriteLine($"dnsbench: {error.Message}");
            return 2;
        }
        catch (Exception error) when (error is IOException or TimeoutException or InvalidDataException)
        {
            Console.Error.WriteLine($"dnsbench: {error.Message}");
            return 1;
        }
    }

    private static async Task<int> Dispatch(string[] args)
    {
        if (args.Length == 0 || args[0] is "-h" or "--help" or "help")
        {
            PrintPhases();
            return 0;
        }
        if (Array.Find(Commands, command => command.Name == args[0]) is { } asked) return await asked.Run(args[1..]);
        if (args[0] == "--phase") return await RunPhase(args);
        if (args[0].StartsWith('-')) return RunBenchmarks(args);
        throw new UsageException($"\"{args[0]}\" is no command; without arguments dnsbench lists what there is");
    }

    private static async Task<int> RunPhase(string[] args)
    {
        if (args.Length < 2 || !int.TryParse(args[1], out int number) || Phase.Find(number) is not { } phase)
            throw new UsageException($"--phase wants a number from 1 to {Phase.All.Length}");
        if (phase.BenchCommand is { } name)
            return await Array.Find(Commands, command => command.Name == name)!.Run(args[2..]);
        return RunBenchmarks([.. args[2..], "--filter", .. phase.Types.Select(type => $"*{type.Name}.*")]);
    }

    private static int RunBenchmarks(string[] args)
    {
        Type[] types = [.. Phase.All.SelectMany(phase => phase.Types)];
        BenchmarkSwitcher.FromTypes(types).Run(args, new BenchConfiguration(HasJob(args)));
        return 0;
    }

    private static bool HasJob(string[] args) => args.Any(argument => argument is "--job" or "-j");

    private static void PrintPhases()
    {
        Console.WriteLine("""
            dnsbench: what the parts of the server cost, and what it costs beside others.

              dotnet run -c Release -- --phase N            one phase
              dotnet run -c Release -- --filter "*"         every benchmark; BenchmarkDotNet's own arguments pass through
              dotnet run -c Release -- --list flat          the names of all benchmarks
              dotnet run -c Release -- COMMAND --help       one of the commands below

            Phases:
            """);
        foreach (Phase phase in Phase.All) Console.WriteLine($"  {phase.Number}  {phase.Title}");
        Console.WriteLine("\nCommands:");
        foreach (BenchCommand command in Commands) Console.WriteLine($"  {command.Name,-12} {command.Summary}");
    }
}
