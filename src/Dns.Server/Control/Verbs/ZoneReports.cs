using Dns.Protocol;
using Dns.Providers;
using Dns.Zones;

namespace Dns.Server;

/// <summary>One zone in a list.</summary>
internal sealed record ZoneLine(
    string Name, string State, string File, uint? Serial, long Records, DateTimeOffset? LoadedAt, bool IsOutdated);

/// <summary>The zones, or the first of them.</summary>
/// <param name="Zones">Those that are listed.</param>
/// <param name="Left">How many more there are.</param>
internal sealed record ZoneList(IReadOnlyList<ZoneLine> Zones, int Left);

/// <summary>Everything about one zone.</summary>
internal sealed record ZoneDetail(
    string Name, string State, string File, bool IsGivenByName, uint? Serial, long Names, long Records, long Bytes,
    DateTimeOffset? LoadedAt, DateTimeOffset? FileChangedAt, string? Failure)
{
    /// <summary>Whether it is one of the settings, or was added, and how long that lasts.</summary>
    public string Origin { get; init; } = "";

    /// <summary>A line for each error in its file as it is now; none if the file is taken.</summary>
    public IReadOnlyList<string> Errors { get; init; } = [];

    /// <summary>Whether the zone has DNSSEC records.</summary>
    public bool IsSigned { get; init; }
}

/// <summary>What a reload came to, or would come to.</summary>
internal sealed record ReloadReport(
    bool IsTrial, IReadOnlyList<string> Added, IReadOnlyList<string> Removed, IReadOnlyList<string> Changed, int Read, int Failed,
    IReadOnlyList<string> Notes)
{
    /// <summary>Names listed of each kind; the counts of the text say how many there are.</summary>
    private const int MaxNames = 1000;

    /// <summary>A report of what the provider did.</summary>
    public static ReloadReport Of(SettingsReloadResult result, bool isTrial) => new(
        isTrial, Names(result.Zones!.Added), Names(result.Zones.Removed), Names(result.Zones.Changed),
        result.Zones.Summary.Loaded + result.Zones.Summary.Failed, result.Broken?.Count ?? result.Zones.Summary.Failed, result.Notes)
    {
        Errors = result.Broken?.Lines ?? [],
        Settings = result.Changed,
    };

    /// <summary>Settings that are in force with other values than before.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

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
        if (Added.Count + Removed.Count + Changed.Count + Settings.Count + Notes.Count == 0) text.WriteLine("nothing has changed");
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

/// <summary>Makes reports of what the provider knows.</summary>
internal static class ZoneReports
{
    /// <summary>What the clients of a zone with DNSSEC records meet.</summary>
    internal const string SignedWarning = "validating resolvers reject its negative answers, sent without NSEC or NSEC3 records";

    /// <summary>A line of a list.</summary>
    public static ZoneLine LineOf(ZoneFileStatus zone) => new(
        zone.File.Zone.ToString(), StateOf(zone.State), zone.File.Path, zone.Data?.Serial, zone.Data?.RecordCount ?? 0, zone.LoadedAt,
        zone.Data is not null && zone.Failure is not null);

    /// <summary>All about a zone.</summary>
    public static ZoneDetail DetailOf(ZoneFileStatus zone)
    {
        FileInfo file = new(zone.File.Path);
        return new ZoneDetail(
            zone.File.Zone.ToString(), StateOf(zone.State), zone.File.Path, zone.File.IsNamed, zone.Data?.Serial,
            zone.Data?.NameCount ?? 0, zone.Data?.RecordCount ?? 0, zone.Data?.MemoryBytes ?? 0, zone.LoadedAt,
            file.Exists ? file.LastWriteTimeUtc : null, zone.Failure)
        {
            IsSigned = zone.Data is { IsSigned: true },
        };
    }

    /// <summary>Writes all about a zone for people.</summary>
    public static void Write(ZoneDetail zone, TextWriter text)
    {
        TextTable table = new(false, false);
        table.Add("zone", zone.Name);
        table.Add("state", zone.State);
        table.Add("file", zone.File);
        table.Add("from", zone.Origin);
        table.Add("file changed", Time(zone.FileChangedAt));
        if (zone.Serial is not null)
        {
            table.Add("serial", $"{zone.Serial}");
            table.Add("records", $"{zone.Records:N0} at {zone.Names:N0} names in {TextTable.Size(zone.Bytes)}");
            table.Add("loaded", Time(zone.LoadedAt));
        }
        if (zone.IsSigned) table.Add("warning", $"signed: {SignedWarning}");
        string state = zone.Serial is null ? "error" : "not taken";
        if (zone.Failure is not null && zone.Errors.Count == 0) table.Add(state, zone.Failure + " (mended since: dnsd zone reload)");
        else if (zone.Failure is not null) table.Add(state, zone.Errors.Count == 1 ? zone.Errors[0] : "see below");
        table.Write(text);
        if (zone.Errors.Count > 1)
            foreach (string error in zone.Errors) text.WriteLine(error);
    }

    /// <summary>Writes a list for people.</summary>
    public static void Write(ZoneList list, TextWriter text)
    {
        TextTable table = new(false, false, true, true, false);
        table.Add("ZONE", "STATE", "SERIAL", "RECORDS", "LOADED");
        foreach (ZoneLine zone in list.Zones)
            table.Add(zone.Name, zone.IsOutdated ? zone.State + ", file has errors" : zone.State, $"{zone.Serial}",
                $"{zone.Records:N0}", Time(zone.LoadedAt));
        table.Write(text);
        if (list.Left > 0) text.WriteLine($"... and {list.Left:N0} more: --limit shows them");
    }

    private static string StateOf(ZoneState state) => state switch
    {
        ZoneState.Serving or ZoneState.Stale => "serving",
        ZoneState.Failed => "broken",
        _ => "loading",
    };

    private static string Time(DateTimeOffset? time) => time is null ? "-" : $"{time.Value.ToLocalTime():yyyy-MM-dd HH:mm:ss}";
}
