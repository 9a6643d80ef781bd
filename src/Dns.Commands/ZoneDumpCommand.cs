namespace Dns.Commands;

/// <summary><c>dnsd zone dump NAME FILE</c>: prints the records of a zone file, one a line.</summary>
internal static class ZoneDumpCommand
{
    public static Command Create()
    {
        ZoneArguments arguments = new();
        Option<bool> generic = new("--generic") { Description = "RDATA as \\# LENGTH HEX (RFC 3597)." };
        Command command =
            new("dump", "Prints the records of a zone file, one per line; checks only the syntax.");
        arguments.AddTo(command);
        command.Add(generic);
        command.SetAction(result =>
        {
            var (zone, file) = arguments.Read(result);
            return Dump(zone, file, result.GetValue(generic), result.InvocationConfiguration.Error);
        });
        return command;
    }

    private static int Dump(DomainName zone, string file, bool isGeneric, TextWriter errors)
    {
        List<ZoneDiagnostic> diagnostics = [];
        try
        {
            using Stream output = Console.OpenStandardOutput();
            int exitCode = ZoneDump.Write(zone, file, isGeneric, output, diagnostics);
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
