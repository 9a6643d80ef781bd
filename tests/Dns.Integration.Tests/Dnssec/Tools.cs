using System.Diagnostics;

namespace Dns.Integration.Tests;

/// <summary>Programs of the machine that sign and verify.</summary>
internal static class Tools
{
    /// <summary>Whether a program is on the path.</summary>
    public static bool IsInstalled(string tool) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
        .Any(folder => File.Exists(Path.Combine(folder, tool)));

    /// <summary>Runs a program, and returns its exit code, its output, and its output with errors.</summary>
    public static async Task<(int Code, string Output, string Text)> RunAsync(string folder, string tool,
        string[] arguments)
    {
        ProcessStartInfo start = new(tool, arguments)
        {
            WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        string text = output + await errors;
        await process.WaitForExitAsync();
        return (process.ExitCode, output, text);
    }
}
