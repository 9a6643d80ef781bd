namespace Dns.Tidy.Tests;

/// <summary>
/// The files of the clone that the tests run in, found by walking up from the test binary to Dns.sln.
/// </summary>
internal static class Repository
{
    private static readonly string[] NotOurs =
        [".git", ".vs", "bin", "obj", "TestResults", "artifacts", "BenchmarkDotNet.Artifacts"];

    public static string Root { get; } = FindRoot();

    /// <summary>Every file as a path relative to the root with forward slashes, build output left out.</summary>
    public static IReadOnlyList<string> Files { get; } = ListFiles();

    public static IReadOnlyList<SourceFile> Sources { get; } =
        [.. Files.Where(path => path.EndsWith(".cs", StringComparison.Ordinal))
            .Select(path => new SourceFile(path, Read(path)))];

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    public static bool Exists(string path) => Path.Exists(Path.Combine(Root, path));

    public static IEnumerable<SourceFile> Under(params string[] folders) =>
        Sources.Where(file => folders.Any(folder => file.Path.StartsWith(folder, StringComparison.Ordinal)));

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Dns.sln")))
            {
                return folder.FullName;
            }
        }
        throw new DirectoryNotFoundException($"no Dns.sln above {AppContext.BaseDirectory}");
    }

    private static List<string> ListFiles()
    {
        List<string> found = [];
        Stack<string> folders = new([Root]);
        while (folders.TryPop(out string? folder))
        {
            found.AddRange(Directory.GetFiles(folder).Select(Relative));
            foreach (string child in Directory.GetDirectories(folder))
            {
                if (!NotOurs.Contains(Path.GetFileName(child)) && new DirectoryInfo(child).LinkTarget is null)
                {
                    folders.Push(child);
                }
            }
        }
        found.Sort(StringComparer.Ordinal);
        return found;
    }

    private static string Relative(string path) => Path.GetRelativePath(Root, path).Replace('\\', '/');
}
