namespace Dns.Management.Control.Replies;

/// <summary>The result of a reload, or of a trial.</summary>
public sealed record ReloadReport(
    bool IsTrial, IReadOnlyList<string> Added, IReadOnlyList<string> Removed, IReadOnlyList<string> Changed,
    int Read, int Failed, IReadOnlyList<string> Notes)
{
    /// <summary>Changed settings that were applied.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

    /// <summary>Secondary zones with other primaries.</summary>
    public IReadOnlyList<string> OtherPrimaries { get; init; } = [];

    /// <summary>A line for each file that is not taken, up to a limit; for a trial, for each error in a file.</summary>
    public IReadOnlyList<string> Errors { get; init; } = [];

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
}
