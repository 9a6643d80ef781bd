using System.Text.Json;

namespace Dns.Commands;

/// <summary><c>dnsd zone check NAME FILE</c>: errors of a zone file, and with <c>--dnssec</c> of signatures.</summary>
internal static class ZoneCheckCommand
{
    public static Command Create()
    {
        ZoneArguments arguments = new();
        Option<bool> dnssec = new("--dnssec")
        {
            Description = "Also verify signatures, their times, NSEC and NSEC3 chains, CDS and ZONEMD; "
                + "an unsigned zone is an error.",
        };
        Option<bool> json = new("--json") { Description = "Print JSON." };
        Command command = new("check", "Prints the errors and warnings of a zone file; exit code 1 only for errors.");
        arguments.AddTo(command);
        command.Add(dnssec);
        command.Add(json);
        command.SetAction(result =>
        {
            var (zone, file) = arguments.Read(result);
            InvocationConfiguration console = result.InvocationConfiguration;
            return Check(zone, file, result.GetValue(dnssec), result.GetValue(json), console.Output, console.Error);
        });
        return command;
    }

    private static int Check(DomainName zone, string file, bool verifies, bool isJson,
        TextWriter output, TextWriter errors)
    {
        List<ZoneDiagnostic> found = [];
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        ZoneCheckOutput checks = new(errors, isJson ? found : null, verifies ? null : now);
        DnssecCheckOutput signatures = new(checks, now);
        IZoneLoadObserver observer = verifies ? signatures : checks;
        ZoneFileReading.Read([ZoneFile.At(zone, file)], 1, observer, CancellationToken.None, ofCommand: true);
        bool isGood = checks.Bad == 0 && signatures.IsGood;
        if (isJson)
        {
            ZoneCheckResult result =
                ZoneCheckResult.Of(zone.ToString(), file, isGood, checks, found, signatures.Verification);
            JsonElement data = JsonSerializer.SerializeToElement(result, ZoneCheckJson.Default.ZoneCheckResult);
            output.WriteLine(ControlCommand.TextOf(data));
        }
        else if (isGood)
        {
            output.WriteLine($"{zone}: good, {Counted.Of(checks.Records, "record")}{signatures.Summary}");
        }
        return isGood ? ExitCode.Good : ExitCode.Bad;
    }
}
