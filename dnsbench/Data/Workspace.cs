namespace Dns.Bench;

/// <summary>Paths of the repository and of the server.</summary>
internal static class Workspace
{
    /// <summary>The folder of Dns.sln above the program.</summary>
    internal static string Root { get; } = FindRoot();

    /// <summary>The server, as built beside dnsbench.</summary>
    internal static string DefaultServer =>
        Path.Combine(Root, "src", "Dns.Server", "bin", "Release", "net10.0", "dnsd.dll");

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
            if (File.Exists(Path.Combine(folder.FullName, "Dns.sln"))) return folder.FullName;
        return Environment.CurrentDirectory;
    }
}
