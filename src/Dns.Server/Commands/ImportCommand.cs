using System.CommandLine;

namespace Dns.Server;

/// <summary><c>dnsd import FILE</c>: makes settings of another server's configuration.</summary>
internal static class ImportCommand
{
    private const string Bind = "bind", Nsd = "nsd", Knot = "knot";

    /// <summary>Makes the command.</summary>
    public static Command Create()
    {
        Argument<string> file = new("FILE") { Description = "named.conf, nsd.conf or knot.conf." };
        Option<string?> from = new("--from") { Description = "bind, nsd or knot. Without it: told by the text.", HelpName = "SERVER" };
        from.AcceptOnlyFromAmong(Bind, Nsd, Knot);
        Option<string?> target = new("--output", "-o")
        {
            Description = "Where to write the settings; a file that is there is not replaced. Without it, or with -: printed.",
            HelpName = "FILE",
        };
        Command command = new("import", "Makes settings of named.conf, nsd.conf or knot.conf, and lists what it could not translate.")
        {
            file, from, target,
        };
        command.SetAction(result => Import(
            result.GetRequiredValue(file), result.GetValue(from), result.GetValue(target),
            result.InvocationConfiguration.Output, result.InvocationConfiguration.Error));
        return command;
    }

    /// <summary>Translates a file.</summary>
    /// <param name="file">The configuration.</param>
    /// <param name="from">Whose it is; null = told by the text.</param>
    public static ImportedSettings Translate(string file, string? from)
    {
        ImportDiagnostics diagnostics = new();
        ConfigFiles files = new(diagnostics);
        ImportedSettings settings = new(diagnostics);
        if (files.Read(file, file, 0) is not { } text)
        {
            diagnostics.Broken(file, 0, "nothing was imported");
            return settings;
        }
        switch (from ?? Recognise(text))
        {
            case Bind: new BindImport(settings).Translate(new NamedConfReader(files, diagnostics).Read(file), file); break;
            case Nsd: new NsdImport(settings).Translate(new KeyedConfReader(files, diagnostics).Read(file), file); break;
            default: new KnotImport(settings).Translate(new KeyedConfReader(files, diagnostics).Read(file)); break;
        }
        return settings;
    }

    /// <summary>Whose configuration a text is: BIND has statements ended by semicolons, Knot items that begin with a dash.</summary>
    private static string Recognise(string text)
    {
        string[] lines = [.. text.Split('\n').Select(line => line.Trim())];
        if (lines.Any(line => !line.StartsWith('#') && (line.EndsWith(';') || line.EndsWith('{')))) return Bind;
        return lines.Any(line => line.StartsWith("- ", StringComparison.Ordinal)
            || line.StartsWith("listen:", StringComparison.Ordinal)) ? Knot : Nsd;
    }

    private static int Import(string file, string? from, string? target, TextWriter output, TextWriter errors)
    {
        ImportedSettings settings = Translate(file, from);
        ImportDiagnostics diagnostics = settings.Diagnostics;
        if (!diagnostics.IsBroken) ImportedZoneChecks.Run(settings);
        foreach (string line in diagnostics.Errors) errors.WriteLine(ImportReport.Printable(line));
        foreach (string line in ImportReport.Lines(diagnostics)) errors.WriteLine(line);
        if (diagnostics.IsBroken) return ExitCode.Bad;
        int exitCode = diagnostics.IsBlocked ? ExitCode.Blocked : ExitCode.Good;
        string json = settings.ToJson($"Imported from {file}: {ImportReport.Summary(diagnostics)}.");
        if (target is null or "-")
        {
            output.Write(json);
            return exitCode;
        }
        try
        {
            using FileStream stream = new(target, FileMode.CreateNew);
            using StreamWriter writer = new(stream);
            writer.Write(json);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            errors.WriteLine($"dnsd: error: {error.Message.ReplaceLineEndings(" ")}");
            return ExitCode.Bad;
        }
        output.WriteLine($"wrote {target}: {Counted.Of(settings.Zones.Count, "zone")}; {ImportReport.Summary(diagnostics)}");
        return exitCode;
    }
}
