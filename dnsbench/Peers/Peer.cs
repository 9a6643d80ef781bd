using System.Diagnostics;

namespace Dns.Bench;

/// <summary>A kind of server: how to find it, and how to run it in the foreground.</summary>
/// <param name="Name">Its name in options and tables.</param>
/// <param name="Program">The program; looked for in PATH and the folders for servers. Null if it is our own.</param>
/// <param name="VersionArgument">What makes the program print its version.</param>
/// <param name="Configure">Writes its settings and returns the command.</param>
internal sealed record Peer(
    string Name, string? Program, string VersionArgument, Func<string, PeerSetup, PeerCommand> Configure)
{
    /// <summary>Whether it is a forwarder, which only answers queries with RD.</summary>
    internal bool IsForwarder => Name.EndsWith("-forward", StringComparison.Ordinal);

    private static readonly string[] ServerFolders = ["/usr/sbin", "/usr/local/sbin", "/sbin"];

    /// <summary>The path given for it, or where it is installed; null if it is not.</summary>
    internal string? Find(IReadOnlyDictionary<string, string> paths)
    {
        if (paths.TryGetValue(Name, out string? given)) return given;
        if (Program is null) return File.Exists(PeerTable.OwnProgram(Name)) ? PeerTable.OwnProgram(Name) : null;
        string[] folders = [.. (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator),
            .. ServerFolders];
        return folders.Select(folder => Path.Combine(folder, Program)).FirstOrDefault(File.Exists);
    }

    /// <summary>The line of the program's output with its version.</summary>
    internal string Version(string path)
    {
        if (Program is null) return "this source";
        using Process process = Process.Start(new ProcessStartInfo(path, VersionArgument)
        {
            RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true,
        })!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd() + error.Result;
        process.WaitForExit();
        return output.Split('\n', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault("?").Trim();
    }
}
