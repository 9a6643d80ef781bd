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
        return WriteTrial.FindDirectoryFault(directory) is { } fault ? "nothing can be kept there: " + fault : null;
    }

    /// <summary>
    /// Why zones that were signed might be served without signatures: the settings sign some, or there are keys or
    /// signed copies, of zones that remain signed for a while, and neither can be listed. With either it is known which
    /// zones have some.
    /// </summary>
    /// <param name="directory">The state directory, which may be missing; null = none.</param>
    /// <param name="isUnreadable">Whether a directory is there, but not readable; null = the file system says.</param>
    /// <returns>What is wrong; null for nothing.</returns>
    public static string? FindUnknownSigning(
        ServerOptions options, string? directory, Func<string, bool>? isUnreadable = null)
    {
        if (directory is null) return null;
        isUnreadable ??= IsUnreadable;
        string keys = Path.Combine(directory, SigningFeature.KeyFolder);
        string signed = Path.Combine(directory, SigningFeature.SignedFolder);
        // In a directory that this user may not enter it is not known whether they are there.
        if (!options.Zones.Any(IsSigned) && !Directory.Exists(keys) && !Directory.Exists(signed)) return null;
        return isUnreadable(keys) && isUnreadable(signed)
            ? $"{keys} and {signed} cannot be read, so that zones that are signed would be served without signatures: "
                + "expected both to belong to the user of the server" : null;
    }

    /// <summary>Whether the settings name a state directory, or have zones that need one.</summary>
    public static bool IsWanted(ServerOptions options) =>
        options.StateDirectory != StateDirectory.Automatic || options.Zones.Any(NeedsState);

    private static bool IsUnreadable(string folder)
    {
        try
        {
            foreach (string _ in Directory.EnumerateFileSystemEntries(folder)) break;
            return false;
        }
        catch (DirectoryNotFoundException)
        {
            return false;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    private static bool IsSigned(ZoneOptions zone) =>
        (zone.Policy?.Dnssec ?? zone.MemberTemplate?.Policy?.Dnssec) is not null;

    private static bool NeedsState(ZoneOptions zone) => zone.Role == ZoneRole.Secondary
        || zone.Policy is { Dnssec: not null } or { AllowUpdate: not null };
}
