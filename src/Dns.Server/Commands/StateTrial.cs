namespace Dns.Server.Commands;

/// <summary>Whether this user can keep zones and keys in the state directory; leaves nothing behind.</summary>
internal static class StateTrial
{
    /// <summary>Tries it, if a zone needs the directory: a secondary, a signed one, or one with updates.</summary>
    /// <param name="directory">The state directory, which may be missing; null = none.</param>
    /// <returns>Why nothing can be kept; null if it can.</returns>
    public static string? Find(ServerOptions options, string? directory)
    {
        if (directory is null || !options.Zones.Any(NeedsState)) return null;
        string existing = directory;
        while (!Directory.Exists(existing))
        {
            if (File.Exists(existing)) return $"nothing can be kept there: {existing} is a file";
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
            return "nothing can be kept there: " + error.Message.Replace(file, existing, StringComparison.Ordinal);
        }
    }

    private static bool NeedsState(ZoneOptions zone) => zone.Role == ZoneRole.Secondary
        || zone.Policy is { Dnssec: not null } or { AllowUpdate: not null };
}
