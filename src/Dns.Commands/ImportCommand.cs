namespace Dns.Commands;

/// <summary><c>dnsd import FILE</c>: converts another server's configuration to settings.</summary>
internal static class ImportCommand
{
    private const string Read = "named.conf, nsd.conf, knot.conf or unbound.conf";

    private static readonly (string Word, ImportFormat Format)[] Formats =
        [("bind", ImportFormat.Bind), ("nsd", ImportFormat.Nsd), ("knot", ImportFormat.Knot),
            ("unbound", ImportFormat.Unbound)];

    /// <param name="findConflicts">Finds what <c>dnsd check</c> refuses of settings that are good one by one.</param>
    public static Command Create(Func<Settings, IEnumerable<SettingDiagnostic>> findConflicts)
    {
        Argument<string> file = new("FILE") { Description = Read + "." };
        Option<string?> from =
            new("--from") { Description = "bind, nsd, knot or unbound. Default: recognized from the text.",
            HelpName = "SERVER" };
        from.AcceptOnlyFromAmong([.. Formats.Select(format => format.Word)]);
        Option<string?> target = new("--output", "-o")
        {
            Description =
                "Where to write the settings; an existing file is not replaced. Default, and -: standard output.",
            HelpName = "FILE",
        };
        Command command = new("import", $"Translates {Read} to settings, and lists what it cannot translate.")
        {
            file, from, target,
        };
        command.SetAction(result => Import(
            result.GetRequiredValue(file), result.GetValue(from), result.GetValue(target),
            findConflicts, result.InvocationConfiguration.Output, result.InvocationConfiguration.Error));
        return command;
    }

    /// <param name="from">The kind of server; null = detected.</param>
    /// <param name="zoneFolder">Receives zone files, relative to the settings; null = none are written.</param>
    /// <param name="machine">The addresses of the machine; null = of this one.</param>
    public static ImportedSettings Translate(string file, string? from, string? zoneFolder = null,
        IReadOnlyList<ImportedAddress>? machine = null)
    {
        ImportDiagnostics diagnostics = new();
        ConfigFiles files = new(diagnostics);
        ImportedSettings settings = new(diagnostics) { Machine = machine ?? ImportedAddress.OfThisMachine() };
        if (files.Read(file, file, 0) is not { } text) return settings;
        ImportFormat? format = from is null ? FormatRecognition.Find(file, text)
            : Formats.First(known => known.Word == from).Format;
        switch (format)
        {
            case ImportFormat.Bind: new BindImport(settings).Translate(
                new NamedConfReader(files, diagnostics).Read(file), file); break;
            case ImportFormat.Nsd: new NsdImport(settings).Translate(
                new NsdConfReader(files, diagnostics).Read(file), file); break;
            case ImportFormat.Knot: new KnotImport(settings)
                .Translate(new KnotConfReader(files, diagnostics).Read(file)); break;
            case ImportFormat.Unbound:
                new UnboundImport(settings, zoneFolder).Translate(
                    new UnboundConfReader(files, diagnostics).Read(file), file);
                break;
            default:
                diagnostics.Broken(file, 0,
                    format is null ? "the format is not recognized: set it with --from"
                    : $"this is {Describe(format)} and not translated: import reads {Read}");
                break;
        }
        return settings;
    }

    /// <summary>A file that is not translated, in words.</summary>
    public static string Describe(ImportFormat? format) => format switch
    {
        ImportFormat.Json => "JSON, as in settings of dnsd,",
        ImportFormat.ZoneFile => "a zone file (dnsd zone check reads it)",
        ImportFormat.Dnsdist => "a dnsdist.conf (dnsdist)",
        ImportFormat.Corefile => "a Corefile (CoreDNS)",
        ImportFormat.ResolvConf => "a resolv.conf",
        ImportFormat.Brackets => "a file of sections in brackets, such as resolved.conf,",
        ImportFormat.RecursorYaml => "a recursor.yml (PowerDNS Recursor)",
        ImportFormat.PowerDns => "a pdns.conf (PowerDNS)",
        ImportFormat.Recursor => "a recursor.conf (PowerDNS Recursor)",
        _ => "a dnsmasq.conf (dnsmasq)",
    };

    private static int Import(string file, string? from, string? target,
        Func<Settings, IEnumerable<SettingDiagnostic>> findConflicts, TextWriter output, TextWriter errors)
    {
        string? written = target is null or "-" ? null : Path.GetFullPath(target);
        string? zoneFolder = written is null ? null : Path.GetFileNameWithoutExtension(written) + ".local-zones";
        ImportedSettings settings = Translate(file, from, zoneFolder);
        ImportDiagnostics diagnostics = settings.Diagnostics;
        if (diagnostics.IsBroken)
        {
            foreach (string line in diagnostics.Errors) errors.WriteLine(ImportReport.Printable(line));
            return ExitCode.Bad;
        }
        try
        {
            if (written is null) output.Write(Check(settings, file, Environment.CurrentDirectory, findConflicts));
            else Write(settings, file, written, findConflicts);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            errors.WriteLine($"dnsd: error: {error.Message.ReplaceLineEndings(" ")}");
            return ExitCode.Bad;
        }
        foreach (string line in ImportReport.Lines(diagnostics)) errors.WriteLine(line);
        if (written is not null)
        {
            output.WriteLine(
                $"wrote {target}: {Counted.Of(settings.Zones.Count, "zone")}; {ImportReport.Summary(diagnostics)}");
            if (!OperatingSystem.IsWindows())
                output.WriteLine("its mode is 600, since it may have secrets; the service can read it after: "
                    + $"chgrp {SystemdUnit.Account} {target}; chmod 640 {target}");
        }
        return diagnostics.IsBlocked ? ExitCode.Blocked : ExitCode.Good;
    }

    /// <summary>Writes the zone files, which the checks read, and the settings. Replaces no file.</summary>
    private static void Write(ImportedSettings settings, string file, string target,
        Func<Settings, IEnumerable<SettingDiagnostic>> findConflicts)
    {
        string folder = Path.GetDirectoryName(target)!;
        if (!Directory.Exists(folder))
            throw new DirectoryNotFoundException($"--output: the directory {folder} does not exist");
        if (Directory.Exists(target)) throw new IOException($"--output: {target} is a directory");
        if (File.Exists(target)) throw new IOException($"--output: the file {target} already exists");
        foreach (string path in settings.Files.Keys)
            if (File.Exists(Path.GetFullPath(path,
                folder))) throw new IOException($"the file '{Path.GetFullPath(path, folder)}' already exists");
        // It may contain secrets of keys and cookies.
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        List<string> created = [];
        try
        {
            using StreamWriter writer = new(target, options);
            created.Add(target);
            foreach (var (path, text) in settings.Files)
            {
                string full = Path.GetFullPath(path, folder);
                Directory.CreateDirectory(Path.GetDirectoryName(full)!);
                using FileStream zone = new(full, FileMode.CreateNew);
                created.Add(full);
                using StreamWriter zoneWriter = new(zone);
                zoneWriter.Write(text);
            }
            writer.Write(Check(settings, file, folder, findConflicts));
        }
        catch
        {
            // What is left would be in the way of the next run.
            created.ForEach(File.Delete);
            throw;
        }
    }

    private static string Check(ImportedSettings settings, string file, string folder,
        Func<Settings, IEnumerable<SettingDiagnostic>> findConflicts)
    {
        ImportedSettingsCheck.Run(settings, file, folder, findConflicts);
        ImportedZoneChecks.Run(settings, folder);
        return settings.ToJson($"Imported from {file}: {ImportReport.Summary(settings.Diagnostics)}.");
    }
}
