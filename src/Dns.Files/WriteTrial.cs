namespace Dns.Files;

/// <summary>Whether this user can write a file, or make one in a directory. Leaves nothing behind.</summary>
public static class WriteTrial
{
    /// <summary>Why a file cannot be written, or made; null if it can, or is a pipe or device.</summary>
    public static string? FindFault(string path)
    {
        if (ExclusiveFile.IsOfSystem(path)) return null;
        if (Directory.Exists(path)) return "it is a directory";
        if (!File.Exists(path)) return FindDirectoryFault(Path.GetDirectoryName(Path.GetFullPath(path)));
        try
        {
            string target = File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;
            // The opening of a pipe would wait for its reader.
            if (OperatingSystem.IsLinux() && FileCalls.FactsOf(target) is { IsRegular: false }) return null;
            File.OpenHandle(target, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete).Dispose();
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error.Message;
        }
    }

    /// <summary>Why no file can be made in a directory, which may be missing itself; null if one can.</summary>
    public static string? FindDirectoryFault(string? directory)
    {
        if (string.IsNullOrEmpty(directory)) return null;
        string existing = directory;
        while (!Directory.Exists(existing))
        {
            if (File.Exists(existing)) return DanglingLink.FindFault(existing) ?? $"{existing} is a file";
            if (Path.GetDirectoryName(existing) is not { Length: > 0 } parent) return null;
            existing = parent;
        }
        string file = Path.Join(existing, $".dnsd-check-{Guid.NewGuid():N}");
        try
        {
            new FileStream(file, FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose)
                .Dispose();
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error.Message.Replace(file, existing, StringComparison.Ordinal);
        }
    }
}
