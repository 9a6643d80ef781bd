using Microsoft.AspNetCore.Http;

namespace Dns.Management.Admin;

/// <summary>The parameters of the status page, all in the URL, so that it can be a bookmark.</summary>
/// <param name="Zones">A substring of the names of zones to list; empty = all.</param>
/// <param name="Page">The page of that list, from 1.</param>
public sealed record StatusQuery(HistoryRange Range = HistoryRange.FiveMinutes, string Zones = "", int Page = 1)
{
    /// <summary>Name, type and client of a lookup to explain; the name is null without one.</summary>
    public (string? Name, string? Type, string? Client) Lookup { get; init; }

    /// <summary>Parses the URL. Invalid parameters are ignored.</summary>
    public static StatusQuery Of(IQueryCollection query) => new(
        (string?)query["range"] switch
        {
            "1h" => HistoryRange.Hour,
            "start" => HistoryRange.Start,
            _ => HistoryRange.FiveMinutes,
        },
        ((string?)query["zones"] ?? "").Trim(),
        int.TryParse(query["page"], NumberStyles.None, CultureInfo.InvariantCulture,
            out int page) ? Math.Max(page, 1) : 1)
    {
        Lookup = (TextOf(query["name"]), TextOf(query["type"]), TextOf(query["client"])),
    };

    public static string TextOf(HistoryRange range) => range switch
    {
        HistoryRange.Hour => "1h",
        HistoryRange.Start => "start",
        _ => "5min",
    };

    /// <summary>The URL relative to the page.</summary>
    public string ToAddress() => $"?range={TextOf(Range)}"
        + (Zones.Length > 0 ? "&zones=" + Uri.EscapeDataString(Zones) : "") + (Page > 1 ? $"&page={Page}" : "")
        + (Lookup.Name is null ? "" : $"&name={Uri.EscapeDataString(Lookup.Name)}")
        + (Lookup.Type is null ? "" : $"&type={Uri.EscapeDataString(Lookup.Type)}")
        + (Lookup.Client is null ? "" : $"&client={Uri.EscapeDataString(Lookup.Client)}");

    private static string? TextOf(string? text) => string.IsNullOrWhiteSpace(text) ? null : text.Trim();
}
