using System.Text.RegularExpressions;

namespace Dns.Import.Shared;

/// <summary>Whose configuration a text is: by its form and keys, else by the name of the file.</summary>
internal static partial class FormatRecognition
{
    private static readonly string[] UnboundKeys =
    [
        "forward-zone", "stub-zone", "auth-zone", "include-toplevel", "access-control", "local-zone", "local-data",
        "do-udp", "do-tcp",
        "module-config", "root-hints", "auto-trust-anchor-file", "trust-anchor-file", "msg-cache-size",
        "rrset-cache-size",
        "cache-max-ttl", "cache-min-ttl", "private-address", "private-domain", "serve-expired", "prefetch",
        "num-threads",
        "harden-glue", "harden-dnssec-stripped", "qname-minimisation", "use-caps-for-id", "so-reuseport",
        "outgoing-range",
    ];

    private static readonly string[] NsdKeys =
    [
        "pattern", "zonefile", "zonesdir", "request-xfr", "provide-xfr", "include-pattern", "server-count",
        "zonelistfile", "xfrdfile", "ipv4-edns-size", "ip-address", "nsid", "rrl-ratelimit", "zonefiles-check",
    ];

    private static readonly string[] KnotKeys =
        ["domain", "template", "listen", "rundir", "storage", "remote", "acl", "log", "target", "database", "mod-rrl",
            "mod-queryacl"];

    private static readonly string[] PowerDnsKeys =
    [
        "launch", "local-address", "setuid", "setgid", "daemon", "guardian", "config-dir", "include-dir", "primary",
            "secondary", "master",
        "slave", "webserver", "api", "api-key", "bind-config", "gmysql-host", "gpgsql-host", "gsqlite3-database",
        "lmdb-filename",
    ];

    private static readonly string[] RecursorKeys =
        ["forward-zones", "forward-zones-recurse", "forward-zones-file", "allow-from", "lua-config-file", "hint-file",
            "dnssec", "max-cache-ttl"];

    /// <summary>Options of dnsmasq without a value.</summary>
    private static readonly string[] Words =
        ["no-resolv", "no-hosts", "domain-needed", "bogus-priv", "expand-hosts", "strict-order", "bind-interfaces",
            "log-queries"];

    /// <summary>Finds what a text is; null = not known.</summary>
    public static ImportFormat? Find(string file, string text)
    {
        string[] lines =
            [.. text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0 && !line.StartsWith('#'))];
        if (FindForeign(lines) is { } foreign) return foreign;
        if (lines.Any(line => line.EndsWith(';') || line.EndsWith('{'))) return ImportFormat.Bind;
        HashSet<string> keys = KeysOf(lines, Key());
        bool hasItems = lines.Any(line => line.StartsWith("- ", StringComparison.Ordinal));
        (ImportFormat Format, int Keys)[] candidates =
        [
            (ImportFormat.Unbound, UnboundKeys.Count(keys.Contains)),
            (ImportFormat.Nsd, NsdKeys.Count(keys.Contains)),
            (ImportFormat.Knot, KnotKeys.Count(keys.Contains) + (hasItems ? 2 : 0)),
        ];
        var best = candidates.MaxBy(candidate => candidate.Keys);
        return best.Keys > 0 ? best.Format : ByName(Path.GetFullPath(file));
    }

    private static HashSet<string> KeysOf(string[] lines, Regex key) =>
        [.. lines.SelectMany(line => key.Matches(line)).Select(match => match.Groups[1].Value.ToLowerInvariant())];

    private static ImportFormat? ByName(string path) =>
        path.Contains("unbound") ? ImportFormat.Unbound
        : path.Contains("knot") ? ImportFormat.Knot
        : path.Contains("nsd") ? ImportFormat.Nsd
        : path.Contains("named") || path.Contains("bind") ? ImportFormat.Bind : null;

    private static ImportFormat? FindForeign(string[] lines)
    {
        // The import writes its notes as comments in front.
        if (lines.FirstOrDefault(line => !line.StartsWith("//", StringComparison.Ordinal)) is ['{', ..])
            return ImportFormat.Json;
        if (lines.Any(line => ZoneFileLine().IsMatch(line))) return ImportFormat.ZoneFile;
        if (lines.Any(line => LuaCall().IsMatch(line))) return ImportFormat.Dnsdist;
        bool hasStatements = lines.Any(line => line.EndsWith(';'));
        if (!hasStatements && lines.Any(line => line.EndsWith('{')) && lines.Contains("}"))
            return ImportFormat.Corefile;
        if (hasStatements) return null;
        if (lines.Any(line => line.StartsWith("nameserver ", StringComparison.Ordinal))) return ImportFormat.ResolvConf;
        if (lines.Any(line => line.StartsWith('[')
            && line.EndsWith(']'))) return ImportFormat.Brackets;
        if (lines.Any(line => line is "recursor:" or "incoming:" or "outgoing:" or "recordcache:"))
            return ImportFormat.RecursorYaml;
        return FindAssigned(lines);
    }

    /// <summary>Files of <c>key=value</c>.</summary>
    private static ImportFormat? FindAssigned(string[] lines)
    {
        HashSet<string> keys = KeysOf(lines, Assigned());
        bool hasWord = lines.Any(Words.Contains);
        if (PowerDnsKeys.Any(keys.Contains) && !keys.Contains("server")) return ImportFormat.PowerDns;
        if (RecursorKeys.Any(keys.Contains)) return ImportFormat.Recursor;
        return hasWord || keys.Count > 0 ? ImportFormat.Dnsmasq : null;
    }

    [GeneratedRegex(@"(?:^|[\s""'])([A-Za-z][A-Za-z0-9-]*):")]
    private static partial Regex Key();

    [GeneratedRegex(@"^([a-z][a-z0-9-]*) *\+?=")]
    private static partial Regex Assigned();

    [GeneratedRegex(@"^\$(ORIGIN|TTL)\s|^\S+(\s+[0-9]+[a-zA-Z]*)?(\s+IN)?(\s+[0-9]+[a-zA-Z]*)?\s+SOA\s")]
    private static partial Regex ZoneFileLine();

    [GeneratedRegex(
        @"^(newServer|setLocal|addLocal|setACL|addACL|addAction|newPacketCache|controlSocket|setKey)\s*[({]")]
    private static partial Regex LuaCall();
}
