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

    private static bool NeedsState(ZoneOptions zone) => zone.Role == ZoneRole.Secondary
        || zone.Policy is { Dnssec: not null } or { AllowUpdate: not null };
}
