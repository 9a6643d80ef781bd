using Dns.Providers.LocalNames;

namespace Dns.Import.Unbound;

/// <summary>Translates Unbound's local zones and data into zones with files, as far as zones can say it.</summary>
/// <param name="folder">The folder of the files, relative to the settings; null = there is no place for them.</param>
internal sealed class UnboundLocalZones(ImportedSettings settings, string? folder)
{
    private const string Empty = "empty.zone", Null = "null.zone";
    private const string Soa = "3600 SOA localhost. nobody.invalid. 1 3600 1200 604800 10800",
        Ns = "3600 NS localhost.";
    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;
    private readonly Dictionary<string, (ConfigStatement Statement, string Type,
        List<LocalData> Data)> _zones = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, (ConfigStatement Statement, string Type, List<LocalData> Data)> _names =
        new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Zones that are there without a statement: local data of their names is added to theirs.</summary>
    private static readonly (string Name, string Type, string Owner, string[] Data)[] Defaults =
    [
        ("localhost.", "redirect", "localhost.", ["A 127.0.0.1", "AAAA ::1"]),
        ("127.in-addr.arpa.", "static", "1.0.0.127.in-addr.arpa.", ["PTR localhost."]),
        (ReverseName(IPAddress.IPv6Loopback), "static", ReverseName(IPAddress.IPv6Loopback), ["PTR localhost."]),
    ];

    /// <summary>A record: its owner with the dot at its end, and what follows it.</summary>
    private sealed record LocalData(ConfigStatement Statement, string Owner, string Rest, bool IsDefault = false);

    /// <summary>Whether all names that nothing else has are answered without upstreams.</summary>
    public bool AnswersRoot => _zones.TryGetValue(".", out var root) && !PassesOn(root.Type);

    public void Translate(List<ConfigStatement> server, List<string> clients)
    {
        foreach (ConfigStatement zone in server.Where(member => member.Key == "local-zone"))
            _zones.TryAdd(Whole(zone.Value ?? ""), (zone, zone.Words.ElementAtOrDefault(2) ?? "transparent", []));
        List<LocalData> records = [.. server.Select(data => data.Key switch
        {
            "local-data" => Read(data),
            "local-data-ptr" => ReadPointer(data),
            _ => null,
        }).OfType<LocalData>()];
        foreach (var (name, type, owner, data) in Defaults)
            if (!_zones.ContainsKey(name) && records.Find(record => IsAtOrBelow(record.Owner, name)) is { } first)
                _zones.Add(name, (first.Statement, type,
                    [.. data.Select(rest => new LocalData(first.Statement, owner, rest, IsDefault: true))]));
        foreach (LocalData record in records) Assign(record);
        if (_zones.Count + _names.Count == 0) return;
        if (folder is null)
        {
            ConfigStatement first =
                server.First(member => member.Key is "local-zone" or "local-data" or "local-data-ptr");
            _diagnostics.Block(first, "",
                "local zones and data: their zone files are written beside the settings, with --output",
                ImportLimit.OfImporter);
            return;
        }
        Nest();
        foreach (var (name, (statement, type, data)) in _zones) AddZone(name, statement, type, data, clients);
        foreach (var (name, (statement, type, data)) in _names)
        {
            Write(name, statement, data, clients, isRedirect: false);
            _diagnostics.Change(statement, name,
                $"local data of a {type} zone: the name is a zone, so that names below it "
                    + (PassesOn(type) ? "are not forwarded" : "do not exist"));
        }
    }

    /// <summary>Whether names without data are resolved; of the last two, which are not translated, in part.</summary>
    private static bool PassesOn(string type) => type is "transparent" or "typetransparent" or "nodefault" or "inform"
        or "always_transparent" or "block_a" or "noview";

    /// <summary>
    /// In Unbound a local zone decides over the forward zones at and below its name. Here the longest name does: those
    /// below one that answers are left out, and a local zone below it that passes names on is a forwarded zone.
    /// </summary>
    private void Nest()
    {
        List<(string Name, ConfigStatement Statement, string Type, List<string>? Upstreams)> passed = [];
        foreach (var (name, (statement, type, _)) in _zones)
            if (name != "." && PassesOn(type) && Closest(Above(name)) is { } outer && !PassesOn(outer.Type)
                && DomainName.TryParse(name, out DomainName? parsed) && !settings.IsForwarded(parsed))
                passed.Add((name, statement, type, settings.UpstreamsOf(parsed)));
        foreach (var (name, statement) in settings.TakeForwards(zone => Closest(Whole(zone)) is { } local
            && !PassesOn(local.Type)))
            _diagnostics.Remark(statement, $"zone {name}", "its names are answered by a local zone");
        foreach (var (name, statement, type, upstreams) in passed)
            if (upstreams is not null) settings.AddForward(statement, name, upstreams);
            else _diagnostics.Block(statement, name, $"{type}: its names are not forwarded", ImportLimit.OfImporter);
    }

    private static string Above(string name) => name[(name.IndexOf('.') + 1)..] is { Length: > 0 } above ? above : ".";

    /// <summary>The local zone with the longest name at or above one; null = none.</summary>
    private (ConfigStatement Statement, string Type, List<LocalData> Data)? Closest(string name)
    {
        while (true)
        {
            if (_zones.TryGetValue(name, out var zone)) return zone;
            if (name == ".") return null;
            name = Above(name);
        }
    }

    private static bool IsSame(string one, string other) => one.Equals(other, StringComparison.OrdinalIgnoreCase);

    private static bool IsAtOrBelow(string name, string zone) =>
        IsSame(name, zone) || name.EndsWith("." + zone, StringComparison.OrdinalIgnoreCase);

    private static string Whole(string name) => name.EndsWith('.') ? name : name + ".";

    private LocalData? Read(ConfigStatement data)
    {
        string[] parts = (data.Value ?? "").Split((char[]?)null, 2, StringSplitOptions.RemoveEmptyEntries);
        // A $ begins a directive of the zone file.
        if (parts.Length == 2 && !parts[0].StartsWith('$') && DomainName.TryParse(Whole(parts[0]), out _))
            return new LocalData(data, Whole(parts[0]), parts[1]);
        _diagnostics.Block(data, "", "local-data: not a record", ImportLimit.OfImporter);
        return null;
    }

    /// <summary>The address of a pointer, a TTL perhaps, and a name.</summary>
    private LocalData? ReadPointer(ConfigStatement data)
    {
        string[] parts = (data.Value ?? "").Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length is 2 or 3 && IPAddress.TryParse(parts[0], out IPAddress? address))
            return new LocalData(data, ReverseName(address),
                (parts.Length == 3 ? parts[1] + " " : "") + "PTR " + Whole(parts[^1]));
        _diagnostics.Block(data, "", "local-data-ptr: not an address and a name", ImportLimit.OfImporter);
        return null;
    }

    private static string ReverseName(IPAddress address)
    {
        byte[] octets = address.GetAddressBytes();
        return octets.Length == 4
            ? string.Join('.', octets.Reverse()) + ".in-addr.arpa."
            : string.Concat(octets.Reverse().Select(octet => $"{octet & 15:x}.{octet >> 4:x}.")) + "ip6.arpa.";
    }

    /// <summary>
    /// A record belongs to the closest zone. In one that passes other names on or refuses them, it is its own zone.
    /// </summary>
    private void Assign(LocalData record)
    {
        if (record.Owner.StartsWith("*.", StringComparison.Ordinal))
            _diagnostics.Change(
                record.Statement, record.Owner, "local data of a name that begins with *: it is a wildcard");
        var zone = Closest(record.Owner);
        string type = zone?.Type ?? "transparent";
        if (type is "refuse" or "deny" or "inform_deny" && _zones.ContainsKey(record.Owner))
            _diagnostics.Block(record.Statement, record.Owner, $"local data at the name of a zone of type {type}",
                ImportLimit.OfImporter);
        else if (type is "transparent" or "typetransparent" or "inform" or "nodefault" or "refuse" or "deny"
            or "inform_deny")
        {
            if (type == "typetransparent")
                _diagnostics.Block(record.Statement, record.Owner,
                    "typetransparent: other types of the name are not forwarded, they get NODATA");
            if (!_names.TryGetValue(record.Owner, out var own))
                _names.Add(record.Owner, own = (record.Statement, type, []));
            own.Data.Add(record);
        }
        // A record that is there without it is not added again.
        else if (!zone!.Value.Data.TakeWhile(other => other.IsDefault).Any(other => IsSame(other.Owner, record.Owner)
            && record.Rest.EndsWith(other.Rest, StringComparison.OrdinalIgnoreCase))) zone.Value.Data.Add(record);
    }

    private void AddZone(
        string name, ConfigStatement statement, string type, List<LocalData> data, List<string> clients)
    {
        if (type is "transparent" or "typetransparent" or "nodefault" or "always_transparent" or "inform"
            && DomainName.TryParse(name, out DomainName? passed) && LocalNamesSource.Covers(passed))
        {
            _diagnostics.Change(statement, name,
                $"{type}: its names are answered here, unless a forward zone has them: Dns:Recursion:LocalNames is "
                    + "for all such names or none");
            return;
        }
        switch (type)
        {
            case "static": Write(name, statement, data, clients, isRedirect: false); break;
            case "redirect" or "inform_redirect": Write(name, statement, data, clients, isRedirect: true); break;
            case "always_nxdomain" or "always_nodata":
                AddShared(name, statement, Empty, $"@ {Soa}\n@ {Ns}\n", clients);
                _diagnostics.Change(statement, name,
                    $"{type}: the name itself has no data (NODATA), names below it do not exist (NXDOMAIN)");
                break;
            case "always_null":
                AddShared(name, statement, Null,
                    $"@ {Soa}\n@ {Ns}\n@ 3600 A 0.0.0.0\n@ 3600 AAAA ::\n* 3600 A 0.0.0.0\n* 3600 AAAA ::\n", clients);
                break;
            case "refuse" or "always_refuse": AddShared(name, statement, Empty, $"@ {Soa}\n@ {Ns}\n", []); break;
            case "deny" or "always_deny" or "inform_deny":
                AddShared(name, statement, Empty, $"@ {Soa}\n@ {Ns}\n", []);
                _diagnostics.Change(statement, name, $"{type}: clients get REFUSED, not silence");
                break;
            case "transparent" or "typetransparent" or "nodefault": break;
            case "inform" or "always_transparent": _diagnostics.Change(statement, name,
                $"{type}: its names are forwarded, and not logged"); break;
            default: _diagnostics.Block(statement, name, $"local-zone of type {type}", ImportLimit.OfImporter); break;
        }
    }

    private void AddShared(string name, ConfigStatement statement, string file, string text, List<string> clients)
    {
        string path = $"{folder}/{file}";
        settings.Files[path] = text;
        settings.AddZone(statement, name, path, clients);
    }

    /// <summary>
    /// Writes a zone of its own: names of RDATA are relative to the root, as in Unbound. Of a redirect the apex holds
    /// for all names below.
    /// </summary>
    private void Write(
        string name, ConfigStatement statement, List<LocalData> data, List<string> clients, bool isRedirect)
    {
        StringBuilder text = new("$ORIGIN .\n$TTL 3600\n");
        bool Has(string type) => data.Exists(record => record.Owner.Equals(name, StringComparison.OrdinalIgnoreCase)
            && $" {record.Rest} ".Split('"')[0].Contains($" {type} ", StringComparison.OrdinalIgnoreCase));
        if (Has("CNAME"))
        {
            _diagnostics.Block(statement, name,
                "local data with CNAME at the name of a zone: a zone begins with SOA and NS", ImportLimit.OfImporter);
            return;
        }
        if (!Has("SOA")) text.Append($"{name} {Soa}\n");
        if (!Has("NS")) text.Append($"{name} {Ns}\n");
        foreach (LocalData record in data)
        {
            text.Append($"{record.Owner} {record.Rest}\n");
            bool isApex = record.Owner.Equals(name, StringComparison.OrdinalIgnoreCase);
            if (isRedirect && isApex && !$" {record.Rest} ".Contains(" SOA ", StringComparison.OrdinalIgnoreCase))
                text.Append($"*.{(name == "." ? "" : name)} {record.Rest}\n");
        }
        string? path = DomainName.TryParse(name, out DomainName? zone)
            ? $"{folder}/local-{ZoneFileNames.Of(zone)}.zone" : null;
        if (path is not null) settings.Files[path] = text.ToString();
        settings.AddZone(statement, name, path, clients);
    }
}
