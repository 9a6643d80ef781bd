using System.Buffers;

namespace Dns.Management.Admin;

/// <summary>The readiness of the server: every zone has been loaded or has failed.</summary>
public sealed class HealthReport(ZoneStatusReader zones)
{
    private const int MostNames = 100;

    /// <summary>Whether no zone is loading. Broken ones do not count.</summary>
    public bool IsReady => !zones.Zones.Any(static zone => zone.State == ZoneState.Loading);

    /// <summary>Reports the number of served zones, and the names of the others.</summary>
    public void Write(IBufferWriter<byte> output)
    {
        StringBuilder text = new();
        int serving = 0;
        List<string> loading = [], failed = [];
        foreach (ZoneSlot zone in zones.Zones)
            if (zone.Zone is not null) serving++;
            else (zone.State == ZoneState.Loading ? loading : failed).Add(zone.Name.ToString());
        loading.Sort(StringComparer.Ordinal);
        failed.Sort(StringComparer.Ordinal);
        text.Append(loading.Count == 0 ? "ready" : "not ready").Append('\n').Append("serving ").Append(serving)
            .Append('\n');
        Append(text, "loading", loading);
        Append(text, "broken", failed);
        Encoding.UTF8.GetBytes(text.ToString(), output);
    }

    private static void Append(StringBuilder text, string state, List<string> names)
    {
        if (names.Count == 0) return;
        text.Append(state).Append(' ').Append(names.Count).Append(": ").AppendJoin(' ', names.Take(MostNames));
        if (names.Count > MostNames) text.Append(" …");
        text.Append('\n');
    }
}
