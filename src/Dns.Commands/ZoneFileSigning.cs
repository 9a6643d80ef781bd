namespace Dns.Commands;

/// <summary>Signs one zone file: reads it, finds or generates keys, signs, writes.</summary>
/// <param name="output">The signed file; - is standard output.</param>
internal sealed class ZoneFileSigning(DomainName zone, string file, string keys, string output)
{
    private const string StandardOutput = "-";

    // A third of the lifetime is left to sign again before the old signatures expire.
    private const double RefreshPart = 1.0 / 3, JitterPart = 1.0 / 24;

    /// <summary>The given algorithm; null = that of the keys.</summary>
    public DnssecAlgorithm? Algorithm { get; init; }

    /// <summary>The given denial; null = that of the file, else NSEC.</summary>
    public DenialPlan? Denial { get; init; }

    /// <summary>Whether to add ZONEMD; a signed file with ZONEMD keeps it.</summary>
    public bool Zonemd { get; init; }

    public SerialPolicy Serial { get; init; }

    public TimeSpan Lifetime { get; init; }

    /// <summary>Runs, and returns the exit code.</summary>
    public int Run(TextWriter messages, TextWriter errors, CancellationToken cancellation)
    {
        if (output == StandardOutput) messages = errors;
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        using KeyFolder folder = KeyFolder.Read(keys, zone);
        foreach (TextFault fault in folder.Errors) errors.WriteLine($"dnsd: error: {fault}");
        if (folder.Errors.Count > 0 || !HasAlgorithm(folder, errors) || Load(errors, cancellation) is not { } source)
            return ExitCode.Bad;
        if (folder.Keys.Count == 0 && !TryMakeKey(folder, messages, errors, now)) return ExitCode.Bad;
        SigningOptions options = new()
        {
            Previous = source.IsSigned ? source : null,
            VerifiesPrevious = true,
            Progress = new SigningProgressReport(file, errors, TimeProvider.System),
        };
        SigningResult result = ZoneSigner.SignWhole(source, PlanOf(folder, source, now), now, options, cancellation);
        if (!result.IsSigned)
        {
            errors.WriteLine($"{file}: error: {result.Error}");
            return ExitCode.Bad;
        }
        if (!TryWrite(result.Zone, errors)) return ExitCode.Bad;
        messages.WriteLine(
            $"{zone}: signed, serial {result.Zone.Serial}, {Counted.Of(result.SignaturesMade, "signature")} made, "
            + $"{result.SignaturesKept:N0} kept, to be signed again before {result.NextRefresh:yyyy-MM-dd HH:mm} UTC");
        return ExitCode.Good;
    }

    private Zone? Load(TextWriter errors, CancellationToken cancellation)
    {
        ZoneCheckOutput checks = new(errors);
        Progress progress = new(records => checks.OnProgress(zone, file, records));
        ZoneLoadResult read = ZoneLoader.Load(zone, file, progress, cancellation, ofCommand: true);
        checks.OnRead(zone, file, read, null);
        return read.Zone;
    }

    private bool HasAlgorithm(KeyFolder folder, TextWriter errors)
    {
        if (Algorithm is not { } wanted || folder.Keys.Count == 0 ||
            folder.Keys.Any(key => key.Public.Algorithm == wanted)) return true;
        string found =
            string.Join(", ", folder.Keys.Select(key => DnssecAlgorithms.NameOf(key.Public.Algorithm)).Distinct());
        errors.WriteLine(
            $"dnsd: error: {folder.Path}: found keys of {found}, expected one of {DnssecAlgorithms.NameOf(wanted)} or "
                + "none: \"dnsd keys generate\" adds one, with which the zone is signed too");
        return false;
    }

    private bool TryMakeKey(KeyFolder folder, TextWriter messages, TextWriter errors, DateTimeOffset now)
    {
        try
        {
            KeyFile key = folder.Generate(Algorithm ?? AlgorithmOption.Default, isSep: true, bits: 0, now);
            messages.WriteLine($"{zone}: made the key {Path.Combine(folder.Path, key.BaseName)}");
            return true;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            errors.WriteLine($"dnsd: error: {folder.Path}: cannot write a key: {failure.Message}");
            return false;
        }
    }

    private SigningPlan PlanOf(KeyFolder folder, Zone source, DateTimeOffset now) =>
        KeyFilePlan.At(folder.Keys, now) with
        {
            Denial = Denial ?? (DenialPlan.TryRead(source, out DenialPlan? own) ? own : DenialPlan.Nsec),
            Zonemd = Zonemd || source.IsSigned && source.ApexNode.TryFind(RRType.ZONEMD, out _),
            Serial = Serial,
            SignatureLifetime = Lifetime,
            RefreshBefore = Lifetime * RefreshPart,
            Jitter = Lifetime * JitterPart,
        };

    private bool TryWrite(Zone signed, TextWriter errors)
    {
        try
        {
            if (output == StandardOutput)
            {
                using Stream stream = Console.OpenStandardOutput();
                ZoneDump.Write(signed, stream, isSorted: true);
                return true;
            }
            DurableFile.Replace(output, stream => ZoneDump.Write(signed, stream, isSorted: true), isPrivate: false);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            errors.WriteLine($"dnsd: error: cannot write {output}: {error.Message}");
            return false;
        }
    }

    private sealed class Progress(Action<long> report) : IProgress<long>
    {
        public void Report(long value) => report(value);
    }
}

/// <summary>Prints the progress of signing every two seconds.</summary>
internal sealed class SigningProgressReport(string file, TextWriter errors,
    TimeProvider clock) : IProgress<SigningProgress>
{
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(2);

    private long _last = clock.GetTimestamp();

    public void Report(SigningProgress value)
    {
        if (clock.GetElapsedTime(_last) < Every) return;
        _last = clock.GetTimestamp();
        errors.WriteLine($"{file}: {value.Names:N0} of {Counted.Of(value.NamesInAll, "name")}, "
            + $"{Counted.Of(value.Made, "signature")} made, {value.Kept:N0} kept so far");
    }
}
