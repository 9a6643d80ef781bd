namespace Dns.Management.Control.Replies;

/// <summary>Formats zones for a terminal.</summary>
public static class ZoneTexts
{
    public static void Write(ZoneStatus zone, TextWriter text)
    {
        TextTable table = new(false, false);
        table.Add("zone", zone.Name);
        table.Add("state", zone.State);
        if (zone.Since is not null) table.Add("since", Time(zone.Since));
        if (zone.File.Length > 0) table.Add("file", zone.File);
        table.Add("role", zone.Role);
        table.Add("from", zone.Primaries.Count > 0 ? string.Join(", ", zone.Primaries) : zone.Origin);
        if (zone.Catalog is not null) table.Add("catalog", zone.Catalog);
        if (zone.MemberOf is not null) table.Add("member of", zone.MemberOf);
        if (zone.File.Length > 0) table.Add("file changed", Time(zone.FileChangedAt));
        foreach (string other in zone.Waiting) table.Add("not served", other);
        if (zone.Serial is not null)
        {
            table.Add("serial", $"{zone.Serial}");
            table.Add("records", $"{zone.Records:N0} at {zone.Names:N0} names in {TextTable.Size(zone.Bytes)}");
            table.Add("loaded", Time(zone.LoadedAt));
        }
        if (zone.AllowTransfer.Count > 0) table.Add("may transfer", string.Join(", ", zone.AllowTransfer));
        if (zone.AllowUpdate.Count > 0) table.Add("may update", string.Join(", ", zone.AllowUpdate));
        if (zone.Notify.Count > 0) table.Add("notified", string.Join(", ", zone.Notify));
        if (zone.IsFrozen) table.Add("updates", "frozen: dnsd zone thaw");
        if (zone.JournalChanges > 0)
        {
            string changes = Counted.Of(zone.JournalChanges.Value, "change");
            table.Add("journal", $"{changes} in {TextTable.Size(zone.JournalBytes ?? 0)}, not in the file");
        }
        if (zone.Signing is { Leaving: true, Keys: [] } left) AddUnsigned(zone, left, table);
        else if (zone.Signing is { } signing) AddSigning(signing, table);
        if (zone.Conflict is not null) table.Add("conflict", zone.Conflict);
        if (zone.JournalLoss is not null) table.Add("lost updates", zone.JournalLoss);
        if (zone.Role == "secondary") AddReplica(zone, table);
        if (zone.SignatureExpiry is not null) table.Add("signatures", $"valid until {Time(zone.SignatureExpiry)}");
        if (zone.SignatureFault is not null) table.Add("warning", $"signed: {zone.SignatureFault}");
        string state = zone.Serial is null ? "error" : "not taken";
        // A conflict has its own line, and a reload does not resolve it.
        if (zone.Failure == zone.Conflict && zone.Serial is not null) zone = zone with { Failure = null };
        // So has a zone that cannot be signed, and its file is good.
        if (zone.Failure is not null && zone.Failure == zone.Signing?.Error) zone = zone with { Failure = null };
        if (zone.Failure is not null && zone.File.Length == 0) table.Add(state, zone.Failure);
        else if (zone.Failure is not null && zone.Errors.Count == 0)
            table.Add(state, zone.Failure + " (the file is good: dnsd zone reload)");
        else if (zone.Failure is not null) table.Add(state, zone.Errors.Count == 1 ? zone.Errors[0] : "see below");
        table.Write(text);
        if (zone.Errors.Count > 1)
            foreach (string error in zone.Errors) text.WriteLine(error);
    }

    // The source's records with a serial that secondaries of the signed versions accept.
    private static void AddUnsigned(ZoneStatus zone, ZoneSigningStatus left, TextTable table)
    {
        table.Add("signed",
            $"no longer: serial {zone.Serial} is above that of its source, {left.SourceSerial}, until the source has a " +
                $"greater one");
        if (left.Error is not null) table.Add("not served", left.Error);
    }

    private static void AddSigning(ZoneSigningStatus signing, TextTable table)
    {
        string from = signing.Leaving ? "until its DS records are gone, by the former policy" : "by policy";
        from += $" {signing.Policy}, " + (signing.SignedFrom is { } serial ? $"of serial {serial}" : "not yet");
        if (signing.SourceSerial != signing.SignedFrom) from += $"; serial {signing.SourceSerial} is not signed yet";
        table.Add("signed", from);
        table.Add("denial", signing.Denial == "compact" ? "compact, signed for each answer" : signing.Denial);
        if (signing.ProgressNames is { } names) table.Add("signing", $"{names:N0} names so far");
        foreach (string key in signing.Keys) table.Add("key", key);
        foreach (string next in signing.Next) table.Add("next", next);
        table.Add("signatures", signing.NextRefresh is null ? "-" : $"renewed from {Time(signing.NextRefresh)} on");
        if (signing.BundleEnd is not null)
            table.Add("bundles", $"signatures of the KSK until {Time(signing.BundleEnd)}");
        if (signing.Parent is not null) table.Add("parent", signing.Parent);
        if (signing.Error is not null) table.Add("not signed", signing.Error);
    }

    private static void AddReplica(ZoneStatus zone, TextTable table)
    {
        table.Add("confirmed", Time(zone.ConfirmedAt));
        table.Add("next refresh", zone.NextRefresh is null ? "now" : Time(zone.NextRefresh));
        table.Add("expires", Time(zone.Expires));
        if (zone.TransferOctets is { } octets)
            table.Add("transfer", $"{zone.TransferRecords:N0} records, {TextTable.Size(octets)} so far");
        if (zone.LastError is not null && zone.LastError != zone.Failure) table.Add("last error", zone.LastError);
    }

    public static void Write(ZonePage list, TextWriter text)
    {
        bool hasReplicas = list.Zones.Any(zone => zone.Role == "secondary");
        TextTable table = hasReplicas
            ? new(false, false, false, true, true, false, false) : new(false, false, false, true, true, false);
        string[] titles = ["ZONE", "ROLE", "STATE", "SERIAL", "RECORDS", "LOADED"];
        table.Add(hasReplicas ? [.. titles, "NEXT REFRESH"] : titles);
        foreach (ZoneStatus zone in list.Zones)
        {
            string[] cells = [zone.Name, zone.Role, StateOf(zone), $"{zone.Serial}", $"{zone.Records:N0}",
                Time(zone.LoadedAt)];
            table.Add(hasReplicas ? [.. cells, NextRefreshOf(zone)] : cells);
        }
        table.Write(text);
        if (list.Left > 0) text.WriteLine($"... and {list.Left:N0} more: --limit shows them");
    }

    private static string NextRefreshOf(ZoneStatus zone) => zone switch
    {
        { Role: not "secondary" } => "-",
        { NextRefresh: null } => "now",
        { LastError: { } error } => $"{Time(zone.NextRefresh)}; last: {error}",
        _ => Time(zone.NextRefresh),
    };

    private static string StateOf(ZoneStatus zone) =>
        !zone.IsOutdated ? zone.State
            : zone.IsSigningFailed ? zone.State + ", signing failed"
            : zone.Role == "secondary" ? zone.State + ", not refreshed" : zone.State + ", file has errors";

    private static string Time(DateTimeOffset? time) => time is null ? "-" : $"{time:u}";
}
