using System.Diagnostics;

namespace Dns.Hosting.Services;

/// <summary>Programs of the system that a command needs.</summary>
public static class ExternalProgram
{
    /// <summary>Runs one that reads no input, and waits for its end.</summary>
    /// <returns>Exit code, -1 for a missing program, and standard output, then standard error.</returns>
    public static (int ExitCode, string Output) Run(string program, params string[] arguments)
    {
        try
        {
            // Standard error is short, so the streams are read one after the other.
            ProcessStartInfo start =
                new(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
            // A dynamic user of an earlier unit does not count as an existing one of its name.
            start.Environment["SYSTEMD_NSS_DYNAMIC_BYPASS"] = "1";
            using Process process = Process.Start(start)!;
            string text = process.StandardOutput.ReadToEnd() + process.StandardError.ReadToEnd();
            process.WaitForExit();
            return (process.ExitCode, text);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return (-1, "it is not installed");
        }
    }
}
