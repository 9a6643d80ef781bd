using System.Text.Json;
using Dns.Forwarding;

namespace Dns.Server;

/// <content>What is served, who is asked, and who asks.</content>
internal sealed partial class StatusReport
{
    private void WriteZones(Utf8JsonWriter json)
    {
        ZoneTotals totals = sources.Zones.Totals();
        json.WriteStartObject("zones");
        json.WriteNumber("serving", totals.Serving);
        json.WriteNumber("loading", totals.Loading);
        json.WriteNumber("failed", totals.Failed);
        json.WriteNumber("stale", totals.Stale);
        json.WriteNumber("signed", totals.Signed);
        json.WriteNumber("records", totals.Records);
        json.WriteNumber("bytes", totals.MemoryBytes);
        json.WriteStartArray("list");
        // Those that need somebody to look at them come first.
        foreach (ZoneView zone in sources.Zones.Read().OrderBy(Calm).Take(MostZones))
        {
            json.WriteStartObject();
            json.WriteString("name", zone.Name);
            json.WriteString("state", zone.State.ToString().ToLowerInvariant());
            if (zone.Data is { } data)
            {
                json.WriteNumber("serial", data.Serial);
                json.WriteNumber("records", data.RecordCount);
                json.WriteBoolean("signed", data.IsSigned);
            }
            if (zone.LoadedAt is { } at) json.WriteString("loadedAt", at);
            if (zone.Failure is { } failure) json.WriteString("failure", failure);
            json.WriteEndObject();
        }
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static int Calm(ZoneView zone) => zone switch
    {
        { Failure: not null } => 0,
        { Data: null } => 1,
        { Data.IsSigned: true } => 2,
        _ => 3,
    };

    private static void WriteForwarding(Utf8JsonWriter json, Forwarder forwarder)
    {
        json.WriteStartArray("upstreamWarnings");
        foreach (string warning in UpstreamWarnings.Of(forwarder.Upstreams)) json.WriteStringValue(warning);
        json.WriteEndArray();
        json.WriteStartArray("upstreams");
        foreach (UpstreamStatus upstream in forwarder.Upstreams)
        {
            json.WriteStartObject();
            json.WriteString("address", upstream.Address.ToString());
            json.WriteString("zones", string.Join(' ', upstream.Zones));
            json.WriteString("state", upstream.State switch
            {
                UpstreamState.Up => "up",
                UpstreamState.HeldDown => "down",
                _ => "this server",
            });
            if (upstream.State == UpstreamState.HeldDown)
                json.WriteNumber("downSeconds", Math.Round(upstream.DownFor.TotalSeconds, 1));
            json.WriteNumber("roundTripMs", Math.Round(upstream.RoundTripMs, 2));
            json.WriteNumber("sent", upstream.Sent);
            json.WriteNumber("answered", upstream.Answered);
            json.WriteNumber("timedOut", upstream.TimedOut);
            json.WriteEndObject();
        }
        json.WriteEndArray();
        CacheCounters cache = forwarder.Cache.Counters;
        json.WriteStartObject("cache");
        json.WriteNumber("entries", cache.Entries);
        json.WriteNumber("bytes", cache.Bytes);
        json.WriteNumber("hits", cache.Hits);
        json.WriteNumber("misses", cache.Misses);
        json.WriteNumber("stale", cache.Stale);
        json.WriteNumber("evicted", cache.Evicted);
        json.WriteNumber("inFlight", forwarder.InFlight);
        json.WriteEndObject();
    }

    private static void WriteTop(Utf8JsonWriter json, string name, IReadOnlyList<TopEntry> entries)
    {
        json.WriteStartArray(name);
        foreach (TopEntry entry in entries)
        {
            json.WriteStartObject();
            json.WriteString("text", entry.Text);
            json.WriteNumber("share", Math.Round(entry.Share, 4));
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }
}
