using System.CommandLine;
using Dns.Providers;

namespace Dns.Server;

/// <summary><c>dnsd zone check NAME FILE</c>: prints what is wrong with one zone file.</summary>
internal static class ZoneCheckCommand
{
    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        ZoneArguments arguments = new();
        Command command = new("check", "Prints the errors and warnings of a zone file; warnings do not make it bad.");
        arguments.AddTo(command);
        command.SetAction(result =>
        {
            var (zone, file) = arguments.Read(result);
            ZoneReport report = new(result.InvocationConfiguration.Error);
            ZoneFileReading.Read([ZoneFile.At(zone, file)], 1, report, CancellationToken.None, allowsPipe: true);
            if (report.Bad > 0) return ExitCode.Bad;
            result.InvocationConfiguration.Output.WriteLine($"{zone}: good, {Counted.Of(report.Records, "record")}");
            return ExitCode.Good;
        });
        return command;
    }
}
