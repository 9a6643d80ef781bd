namespace Dns.Files;

/// <summary>A symlink without a target. For .NET it is a file that exists.</summary>
public static class DanglingLink
{
    /// <summary>Describes one; null for any other path, also of nothing.</summary>
    public static string? FindFault(string path)
    {
        if (Directory.Exists(path)) return null;
        try
        {
            FileInfo link = new(Path.TrimEndingDirectorySeparator(path));
            return link.LinkTarget is { } target && link.ResolveLinkTarget(returnFinalTarget: true) is { Exists: false }
                ? $"{path} is a symlink to {target}, which does not exist" : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
