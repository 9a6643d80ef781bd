namespace Dns.Zones.Files;

/// <summary>Names of the earlier files that are kept beside a zone file when the server writes it: no zones.</summary>
public static class PreviousZoneFiles
{
    /// <summary>The ending of the previous file; one is kept.</summary>
    public const string BackupEnding = ".bak";

    /// <summary>The ending of a previous file that was edited, with a number behind it from the second on.</summary>
    public const string EditedEnding = ".edited";

    /// <summary>The name of the zone file that a file would be kept for; empty without such an ending.</summary>
    public static ReadOnlySpan<char> OriginalOf(ReadOnlySpan<char> fileName)
    {
        if (fileName.EndsWith(BackupEnding, StringComparison.Ordinal)) return fileName[..^BackupEnding.Length];
        ReadOnlySpan<char> unnumbered = fileName.TrimEnd("0123456789");
        if (unnumbered.Length < fileName.Length && unnumbered.EndsWith('.')) fileName = unnumbered[..^1];
        return fileName.EndsWith(EditedEnding, StringComparison.Ordinal) ? fileName[..^EditedEnding.Length] : [];
    }
}
