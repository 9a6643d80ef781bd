namespace Dns.Testing;

/// <summary>The pages of the repository that the tests were built from.</summary>
public static class RepositoryDocs
{
    /// <summary>Path of the folder docs.</summary>
    public static string Folder { get; } = Find();

    private static string Find()
    {
        DirectoryInfo folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Dns.sln"))) folder = folder.Parent!;
        return Path.Combine(folder.FullName, "docs");
    }
}
