using Dns.Protocol;

namespace Dns.Server;

/// <summary>What a reload came to, or would come to.</summary>
internal sealed record ReloadReport(
    bool IsTrial, IReadOnlyList<string> Added, IReadOnlyList<string> Removed, IReadOnlyList<string> Changed, int Read, int Failed,
    IReadOnlyList<string> Notes)
{
    /// <summary>Names listed of each kind; the counts of the text say how many there are.</summary>
    private const int MaxNames = 1000;

    /// <summary>A report of what was done with the zones of files and of primaries.</summary>
    public static ReloadReport Of(SettingsReloadResult result, bool isTrial) => new(
        isTrial, Names([.. result.Zones!.Added, .. result.Secondaries.Added]),
        Names([.. result.Zones.Removed, .. result.Secondaries.Removed]), Names(result.Zones.Changed),
        result.Zones.Summary.Loaded + result.Zones.Summary.Failed, result.Broken?.Count ?? result.Zones.Summary.Failed, result.Notes)
    {
        Errors = result.Broken?.Lines ?? [],
        Settings = result.Changed,
        OtherPrimaries = Names(result.Secondaries.Moved),
    };

    /// <summary>Settings that are in force with other values than before.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

    /// <summary>Secondary zones that have other primaries than before.</summary>
    public IReadOnlyList<string> OtherPrimaries { get; init; } = [];

    /// <summary>Of a trial: a line for each error in the files that would be read.</summary>
    public IReadOnlyList<string> Errors { get; init; } = [];

    /// <summary>Writes it for people.</summary>
    public void Write(TextWriter text)
    {
        foreach (string note in Notes) text.WriteLine("note: " + note);
        WriteNames(text, IsTrial ? "would be in force, changed" : "changed, in force", Settings);
        WriteNames(text, IsTrial ? "would be added" : "added", Added);
        WriteNames(text, IsTrial ? "would be removed" : "removed", Removed);
        WriteNames(text, IsTrial ? "would be read again" : "read again", Changed);
        WriteNames(text, IsTrial ? "would have other primaries" : "has other primaries", OtherPrimaries);
        if (Added.Count + Removed.Count + Changed.Count + OtherPrimaries.Count + Settings.Count + Notes.Count == 0)
            text.WriteLine("nothing has changed");
        foreach (string error in Errors) text.WriteLine(error);
        if (Failed > 0 && IsTrial) text.WriteLine($"{Counted.Of(Failed, "zone")} with errors");
        else if (Failed > 0) text.WriteLine($"{Failed:N0} with errors: see the log, and dnsd zone status NAME");
    }

    private static void WriteNames(TextWriter text, string what, IReadOnlyList<string> names)
    {
        foreach (string name in names) text.WriteLine($"{name} {what}");
    }

    private static IReadOnlyList<string> Names(IReadOnlyList<DomainName> zones) =>
        [.. zones.Take(MaxNames).Select(zone => zone.ToString())];
}
