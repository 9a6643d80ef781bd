namespace Dns.Commands;

/// <summary><c>dnsd zone dump NAME FILE</c>: prints the zone that would be served, one record a line.</summary>
internal static class ZoneDumpCommand
{
    public static Command Create()
    {
        ZoneArguments arguments = new();
        Option<bool> generic = new("--generic") { Description = "RDATA as \\# LENGTH HEX (RFC 3597)." };
        Option<bool> raw = new("--raw")
        {
            Description = "Every record of the file in its order, checked for syntax only: also those outside of the "
                + "zone, copies, and each TTL.",
        };
        Command command = new("dump",
            "Prints the zone that would be served from a file, one record per line; exit code 1 and no records if it "
            + "has errors.");
        arguments.AddTo(command);
        command.Add(generic);
        command.Add(raw);
        command.SetAction(result =>
        {
            var (zone, file) = arguments.Read(result);
            TextWriter errors = result.InvocationConfiguration.Error;
            return Dump(zone, file, result.GetValue(generic), result.GetValue(raw), errors);
        });
        return command;
    }

    private static int Dump(DomainName zone, string file, bool isGeneric, bool isRaw, TextWriter errors)
    {
        List<ZoneDiagnostic> diagnostics = [];
        try
        {
            using Stream output = Console.OpenStandardOutput();
            int exitCode = isRaw
                ? ZoneDump.WriteRaw(zone, file, isGeneric, output, diagnostics)
                : ZoneDump.Write(zone, file, isGeneric, output, diagnostics);
            foreach (ZoneDiagnostic diagnostic in diagnostics) errors.WriteLine(diagnostic);
            return exitCode;
        }
        catch (IOException error)
        {
            // The reader may have closed the pipe.
            errors.WriteLine("dnsd: error: cannot write the records: " + error.Message);
            return ExitCode.Bad;
        }
    }
}
