using System.CommandLine;
using Dns.Providers;

namespace Dns.Commands;

/// <summary>
/// <c>dnsd zone check NAME FILE</c>: prints the errors of a zone file, with <c>--dnssec</c> also of its signatures.
/// </summary>
internal static class ZoneCheckCommand
{
    /// <summary>Creates the command.</summary>
    public static Command Create()
    {
        ZoneArguments arguments = new();
        Option<bool> dnssec = new("--dnssec")
        {
            Description = "Also verify signatures, their times, NSEC and NSEC3 chains and ZONEMD; an unsigned zone is bad.",
        };
        Command command = new("check", "Prints the errors and warnings of a zone file; warnings do not make it bad.");
        arguments.AddTo(command);
        command.Add(dnssec);
        command.SetAction(result =>
        {
            var (zone, file) = arguments.Read(result);
            TextWriter errors = result.InvocationConfiguration.Error;
            ZoneReport report = new(errors);
            DnssecReport signatures = new(report, errors, TimeProvider.System.GetUtcNow());
            ZoneFileReading.Read(
                [ZoneFile.At(zone, file)], 1, result.GetValue(dnssec) ? signatures : report, CancellationToken.None, allowsPipe: true);
            if (report.Bad > 0 || !signatures.IsGood) return ExitCode.Bad;
            result.InvocationConfiguration.Output.WriteLine(
                $"{zone}: good, {Counted.Of(report.Records, "record")}{signatures.Summary}");
            return ExitCode.Good;
        });
        return command;
    }
}
