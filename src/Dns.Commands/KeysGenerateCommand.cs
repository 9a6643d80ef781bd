namespace Dns.Commands;

/// <summary><c>dnsd keys generate NAME</c>: generates a key and writes its files.</summary>
internal static class KeysGenerateCommand
{
    private const int LeastBits = 1024, MostBits = 4096;

    public static Command Create()
    {
        KeysArguments arguments = new();
        AlgorithmOption algorithm = new();
        Option<bool> ksk =
            new("--ksk") { Description = "A key that signs the keys alone. Without it and --zsk one that signs all." };
        Option<bool> zsk = new("--zsk") { Description = "A key that signs the zone alone." };
        Option<int> bits =
            new("--bits") { Description = "Bits of RSA, 1024 to 4096; 2048 without it.", HelpName = "BITS" };
        bits.Validators.Add(result =>
        {
            if (result.Tokens is [var token] &&
                !(int.TryParse(token.Value, out int given) && given is >= LeastBits and <= MostBits))
                result.AddError($"--bits {token.Value}: expected {LeastBits} to {MostBits}");
        });
        Command command = new("generate", "Makes a key, writes its files and prints their name without extension.");
        arguments.AddTo(command);
        foreach (Option option in (Option[])[algorithm, ksk, zsk, bits]) command.Add(option);
        command.Validators.Add(result =>
        {
            if (result.GetResult(ksk) is not null && result.GetResult(zsk) is not null)
                result.AddError("--ksk and --zsk: expected one of them");
        });
        command.SetAction(result => Generate(
            arguments, result, algorithm.Read(result) ?? AlgorithmOption.Default, isSep: !result.GetValue(zsk),
            result.GetValue(bits)));
        return command;
    }

    private static int Generate(KeysArguments arguments, ParseResult result, DnssecAlgorithm algorithm,
        bool isSep, int bits)
    {
        using KeyFolder? folder = arguments.Read(result);
        if (folder is null) return ExitCode.Bad;
        ZoneArguments.Warn(arguments.Zone(result), result);
        try
        {
            KeyFile key = folder.Generate(algorithm, isSep, bits, TimeProvider.System.GetUtcNow());
            result.InvocationConfiguration.Output.WriteLine(Path.Combine(folder.Path, key.BaseName));
            arguments.NoteOwner(result, folder.Path);
            return ExitCode.Good;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            result.InvocationConfiguration.Error
                .WriteLine($"dnsd: error: {folder.Path}: cannot write a key: {error.Message}");
            return ExitCode.Bad;
        }
    }
}
