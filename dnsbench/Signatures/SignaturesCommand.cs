using System.Diagnostics;
using System.Globalization;

namespace Dns.Bench;

/// <summary>
/// The command <c>signatures</c>: signatures and verifications a second and core, beside those of <c>openssl speed</c>.
/// </summary>
internal static class SignaturesCommand
{
    private const int DataOctets = 180;
    private const int Batch = 16;

    private static readonly (DnssecAlgorithm Algorithm, string OpenSsl)[] Algorithms =
    [
        (DnssecAlgorithm.EcdsaP256Sha256, "ecdsap256"), (DnssecAlgorithm.EcdsaP384Sha384, "ecdsap384"),
        (DnssecAlgorithm.Ed25519, "ed25519"), (DnssecAlgorithm.RsaSha256, "rsa2048"),
    ];

    internal static BenchCommand Command { get; } = new(
        "signatures", "signatures and verifications a second and core, beside those of openssl speed",
        new OptionSet(
            ("seconds", "2", "how long each is measured, in CPU seconds"),
            ("algorithm", "", "only this one; by default P-256, P-384, Ed25519 and RSA of 2048 bits"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static async Task<int> Run(OptionValues options)
    {
        Report report = new(options["out"]);
        int seconds = Math.Max(1, options.Int("seconds"));
        report
            .Line(
                "| algorithm | signatures/s | openssl speed | verifications/s | openssl speed | octets allocated " +
                    "for each |");
        report.Line("| --- | ---: | ---: | ---: | ---: | ---: |");
        foreach ((DnssecAlgorithm algorithm, string name) in Algorithms)
        {
            if (options["algorithm"] is { Length: > 0 } only && only != DnssecAlgorithms.NameOf(algorithm)) continue;
            if (!DnssecAlgorithms.CanSign(algorithm)) continue;
            (string signs, string verifies) = await Compare(name, seconds);
            using SigningKey key = SigningKey.Generate(algorithm, isSep: false);
            byte[] data = new byte[DataOctets], signature = new byte[SigningKey.MaxSignatureOctets];
            (double made, long octets) = Measure(seconds, () => key.TrySign(data, signature, out _));
            (double verified, _) =
                Measure(seconds, () => key.Public.Verify(data, signature.AsSpan(0, key.SignatureOctets)));
            report.Line(string.Create(CultureInfo.InvariantCulture,
                $"| {DnssecAlgorithms.NameOf(algorithm)} | {made:N0} | {signs} | {verified:N0} | {verifies} | " +
                    $"{octets} |"));
        }
        return 0;
    }

    private static (double PerSecond, long Octets) Measure(int seconds, Func<bool> work)
    {
        for (int i = 0; i < Batch; i++) Do(work);
        TimeSpan began = Spent(), limit = TimeSpan.FromSeconds(seconds);
        long count = 0, octets = GC.GetAllocatedBytesForCurrentThread(), grown = 0;
        TimeSpan used;
        do
        {
            for (int i = 0; i < Batch; i++) Do(work);
            count += Batch;
            grown = Math.Max(grown, GC.GetAllocatedBytesForCurrentThread() - octets);
            used = Spent() - began;
            // What the clock allocates is not counted.
            octets = GC.GetAllocatedBytesForCurrentThread();
        }
        while (used < limit);
        return (count / used.TotalSeconds, grown / Batch);
    }

    private static void Do(Func<bool> work)
    {
        if (!work()) throw new InvalidDataException("a signature was not made, or did not verify");
    }

    private static TimeSpan Spent()
    {
        using Process process = Process.GetCurrentProcess();
        return process.UserProcessorTime;
    }

    // The last line ends with signatures and verifications a second: those of the CPU seconds it used.
    private static async Task<(string Signatures, string Verifications)> Compare(string name, int seconds)
    {
        ProcessStartInfo start = new("openssl",
            ["speed", "-seconds", seconds.ToString(CultureInfo.InvariantCulture), name])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        try
        {
            using Process process = Process.Start(start)!;
            Task<string> errors = process.StandardError.ReadToEndAsync();
            string output = await process.StandardOutput.ReadToEndAsync();
            await errors;
            await process.WaitForExitAsync();
            string[] words = output.TrimEnd().Split('\n')[^1].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            return words.Length < 2 ? ("-", "-") : (words[^2], words[^1]);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return ("-", "-"); // No openssl on the path.
        }
    }
}
