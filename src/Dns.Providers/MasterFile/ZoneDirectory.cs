using System.IO.Enumeration;

namespace Dns.Providers.MasterFile;

/// <summary>A directory of master files, each named after its zone. Subdirectories are not searched.</summary>
/// <remarks>Files that the server keeps beside the one that it wrote are no zones: see <see cref="PreviousZoneFiles"/>.
/// </remarks>
public static class ZoneDirectory
{
    /// <summary>Finds the zone files of a directory, in the order of their names.</summary>
    /// <param name="pattern">The file names, with the wildcards <c>*</c> and <c>?</c>.</param>
    /// <param name="files">Receives the zones.</param>
    /// <param name="problems">Receives a line for each file whose name is not a zone's.</param>
    /// <param name="isKnown">Skips known files before anything is allocated for them; null = none.</param>
    /// <exception cref="IOException">The directory does not exist or cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Permission denied.</exception>
    public static void Read(
        string directory, string pattern, ICollection<ZoneFile> files, ICollection<string> problems,
        KnownZoneFile? isKnown = null)
    {
        string[] names = [.. Enumerate(directory, pattern, isKnown)];
        Array.Sort(names, StringComparer.Ordinal);
        foreach (string name in names)
        {
            if (ZoneFileName.TryParse(name, out DomainName? zone))
                files.Add(new ZoneFile(zone, directory, name));
            else
                problems.Add($"{Path.Join(directory, name)}: {ZoneFileName.Explain(name)}");
        }
    }

    /// <summary>Whether <see cref="Read"/> finds files of this name.</summary>
    public static bool Holds(string directory, string pattern, string fileName) =>
        !fileName.StartsWith('.') && FileSystemName.MatchesSimpleExpression(pattern, fileName, ignoreCase: false)
        && !IsKept(directory, fileName);

    // Allocates only for a name with such an ending.
    private static bool IsKept(string directory, ReadOnlySpan<char> fileName) =>
        PreviousZoneFiles.OriginalOf(fileName) is { Length: > 0 } original
        && File.Exists(Path.Join(directory, original));

    private static FileSystemEnumerable<string> Enumerate(string directory, string pattern, KnownZoneFile? isKnown) =>
        new(directory, (ref FileSystemEntry entry) => entry.FileName.ToString(), Options)
        {
            ShouldIncludePredicate = (ref FileSystemEntry entry) =>
                FileSystemName.MatchesSimpleExpression(pattern, entry.FileName, ignoreCase: false) && !entry.IsDirectory
                && !IsKept(directory, entry.FileName) && isKnown?.Invoke(directory, entry.FileName) != true,
        };

    // Names that start with a dot are hidden files, often of editors. No pattern matches them.
    private static EnumerationOptions Options { get; } = new()
    {
        IgnoreInaccessible = false,
        AttributesToSkip = FileAttributes.Hidden,
    };
}
