using System.Diagnostics;

namespace Dns.Bench;

/// <summary>Signs the zone of the measurements with the tools of BIND.</summary>
internal static class ZoneSigning
{
    /// <summary>Makes a key and signs; returns the signed file.</summary>
    /// <param name="zone">The file.</param>
    /// <param name="folder">Takes the keys.</param>
    /// <param name="isHashed">Whether denial uses NSEC3, without iterations and salt, instead of NSEC.</param>
    internal static string Sign(string zone, TemporaryFolder folder, bool isHashed = false)
    {
        Run(folder, "dnssec-keygen", "-q", "-a", "ECDSAP256SHA256", "-f", "KSK", ZoneText.Apex);
        Run(folder, "dnssec-keygen", "-q", "-a", "ECDSAP256SHA256", ZoneText.Apex);
        string signed = zone + ".signed";
        string[] denial = isHashed ? ["-3", "-", "-H", "0"] : [];
        Run(folder, "dnssec-signzone",
            ["-q", "-S", "-x", "-P", "-O", "full", .. denial, "-o", ZoneText.Apex, "-f", signed, zone]);
        return signed;
    }

    private static void Run(TemporaryFolder folder, string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) 
        {
            WorkingDirectory = folder.Path, RedirectStandardOutput = true,
        })
            ?? throw new UsageException($"{program} is not here");
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0) throw new UsageException($"{program} ended with {process.ExitCode}");
    }
}
