using System.Diagnostics;

namespace Dns.Import.Tests;

/// <summary>A program of another server that checks its configuration.</summary>
internal static class ForeignProgram
{
    /// <summary>The cases of a seeded test; <c>DNS_FUZZ_CASES</c> makes more.</summary>
    public static int Cases => Setting("DNS_FUZZ_CASES", 60);

    /// <summary>The seed of a test; <c>DNS_FUZZ_SEED</c> makes another.</summary>
    public static int Seed => Setting("DNS_FUZZ_SEED", 1);

    /// <summary>Runs a program. A test without it is skipped.</summary>
    public static (bool IsGood, string Output, string Text) Run(string program, params string[] arguments)
    {
        string[] folders =
            [.. (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator), "/usr/sbin"];
        string? path = folders.Select(folder => Path.Combine(folder, program)).FirstOrDefault(File.Exists);
        Assert.SkipWhen(path is null, $"{program} is not installed");
        using Process process = Process.Start(new ProcessStartInfo(path!, arguments)
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        string text = output + errors.Result;
        process.WaitForExit();
        return (process.ExitCode == 0, output, text);
    }

    private static int Setting(string name, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), out int value) ? value : otherwise;
}
