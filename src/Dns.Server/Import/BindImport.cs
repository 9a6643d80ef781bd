using System.Globalization;
using System.Net;

namespace Dns.Server;

/// <summary>Translates BIND's named.conf: zones with a file, forwarding, addresses, who may ask for what is forwarded.</summary>
internal sealed class BindImport(ImportedSettings settings)
{
    private const int MaxListDepth = 16;
    private static readonly string[] Ignored = ["key", "controls", "logging", "statistics-channels", "trust-anchors", "managed-keys",
        "trusted-keys", "dnssec-policy", "primaries", "masters", "server", "tls", "http", "dlz", "dyndb", "plugin", "lwres"];

    private readonly Dictionary<string, ConfigStatement> _lists = new(StringComparer.Ordinal);
    private string _directory = "";
    private ConfigStatement? _allowQuery;

    /// <summary>Translates the statements of a file and those that it includes.</summary>
    public void Translate(IReadOnlyList<ConfigStatement> statements, string file)
    {
        _directory = Path.GetDirectoryName(Path.GetFullPath(file))!;
        // Lists and the directory count wherever they stand.
        foreach (ConfigStatement list in statements.Where(s => s is { Key: "acl", Value: not null })) _lists[list.Value!] = list;
        foreach (ConfigStatement options in statements.Where(s => s.Key == "options"))
        {
            _allowQuery = options.Find("allow-query") ?? _allowQuery;
            if (options.Find("directory")?.Value is { } directory) _directory = Path.GetFullPath(directory, _directory);
        }
        foreach (ConfigStatement statement in statements) TranslateStatement(statement);
        // Each family by itself is listened to everywhere unless something is said of it.
        foreach ((string key, IPAddress any) in new[] { ("listen-on", IPAddress.Any), ("listen-on-v6", IPAddress.IPv6Any) })
            if (!statements.Any(s => s.Key == "options" && s.Find(key) is not null))
                settings.Listen.Add(new IPEndPoint(any, ListenSetting.DefaultPort));
    }

    private void TranslateStatement(ConfigStatement statement)
    {
        switch (statement.Key)
        {
            case "acl":
                break;
            case "options":
                foreach (ConfigStatement option in statement.Members) TranslateOption(option);
                break;
            case "zone":
                TranslateZone(statement);
                break;
            case "view":
                settings.Notes.Add(statement, $"view {statement.Value}: its zones are taken, without the clients that it is for");
                foreach (ConfigStatement inner in statement.Members)
                    if (inner.Key == "zone") TranslateZone(inner);
                    else settings.Notes.NotTranslated(inner, $"view {statement.Value}");
                break;
            default:
                settings.Notes.Add(statement, Array.IndexOf(Ignored, statement.Key) >= 0
                    ? $"{string.Join(' ', statement.Words)} is not translated" : $"{statement.Key}: not known, not translated");
                break;
        }
    }

    private void TranslateOption(ConfigStatement option)
    {
        switch (option.Key)
        {
            case "directory" or "pid-file" or "session-keyfile" or "managed-keys-directory" or "key-directory": break;
            case "listen-on": TranslateListen(option, IPAddress.Any); break;
            case "listen-on-v6": TranslateListen(option, IPAddress.IPv6Any); break;
            case "forwarders": settings.AddForward(option, ".", UpstreamsOf(option)); break;
            case "forward" when option.Value == "only": break;
            case "forward": settings.Notes.Add(option, "forward first: forwarded names are never resolved here"); break;
            case "recursion": if (option.Value == "no") settings.AllowFrom ??= []; break;
            case "allow-recursion": settings.AllowFrom = NetworksOf(option, 0); break;
            case "server-id" when option.Value is not ("hostname" or "none"): settings.SetText(option, "Identity", option.Value); break;
            case "version" when option.Value is not "none": settings.SetText(option, "Version", option.Value); break;
            case "server-id" or "version" when option.Value == "none": break;
            case "max-udp-size": settings.SetNumber(option, "MaxUdpPayload", 512, 65535); break;
            case "tcp-clients": settings.SetNumber(option, "Tcp:MaxConnections", 1, 1_000_000); break;
            case "minimal-any": settings.Values["MinimalAny"] = option.Value is "yes" or "true" or "1"; break;
            case "allow-query": break;
            default: settings.Notes.NotTranslated(option, "options"); break;
        }
    }

    private void TranslateListen(ConfigStatement option, IPAddress any)
    {
        int at = option.Words.ToList().IndexOf("port"), port = ListenSetting.DefaultPort;
        if (at > 0 && (at + 1 >= option.Words.Count || !TryPort(option.Words[at + 1], out port)))
        {
            settings.Notes.Add(option, $"{option.Key}: not a port");
            return;
        }
        foreach (ConfigStatement element in option.Members)
        {
            IPAddress own = any.Equals(IPAddress.Any) ? IPAddress.Loopback : IPAddress.IPv6Loopback;
            if (element.Key == "any") settings.AddListen(element, any.ToString(), port);
            else if (element.Key == "localhost") settings.AddListen(element, own.ToString(), port);
            else if (element.Key != "none") settings.AddListen(element, element.Key, port);
        }
    }

    private void TranslateZone(ConfigStatement zone)
    {
        string name = zone.Value ?? "", kind = zone.Find("type")?.Value ?? "";
        if (zone.Words.Count > 2 && !zone.Words[2].Equals("IN", StringComparison.OrdinalIgnoreCase))
        {
            settings.Notes.Add(zone, $"zone {name}: class {zone.Words[2]} is not served");
            return;
        }
        switch (kind)
        {
            case "primary" or "master":
                string? file = zone.Find("file")?.Value;
                settings.AddZone(zone, name, file is null ? null : Path.GetFullPath(file, _directory), ClientsOf(zone));
                break;
            case "forward":
                if (zone.Find("forwarders") is not { } forwarders) settings.Notes.Add(zone, $"zone {name}: has no forwarders");
                else if (UpstreamsOf(forwarders) is { Count: > 0 } upstreams) settings.AddForward(zone, name, upstreams);
                else settings.Notes.Add(zone, $"zone {name}: is not to be forwarded, which is not translated");
                break;
            case "hint":
                settings.Notes.Add(zone, $"zone {name}: hints of the root are not needed; names are forwarded, not resolved here");
                return;
            case "" when zone.Find("in-view")?.Value is { } view:
                settings.Notes.Add(zone, $"zone {name}: is that of view {view}, which is not translated");
                return;
            default:
                settings.Notes.Add(zone, $"zone {name}: type {kind} is not translated");
                return;
        }
        foreach (ConfigStatement member in zone.Members)
            if (member.Key is not ("type" or "file" or "forwarders" or "forward" or "notify" or "allow-query"))
                settings.Notes.NotTranslated(member, $"zone {name}");
    }

    /// <summary>Who may ask for a zone, by itself or for all zones; null = everybody.</summary>
    private List<string>? ClientsOf(ConfigStatement zone) =>
        (zone.Find("allow-query") ?? _allowQuery) is { } list && list.Members is not [{ Key: "any" }] ? NetworksOf(list, 0) : null;

    private List<string> UpstreamsOf(ConfigStatement statement)
    {
        List<string> upstreams = [];
        int common = statement.Words is [_, "port", var all, ..] && TryPort(all, out int given) ? given : ListenSetting.DefaultPort;
        foreach (ConfigStatement element in statement.Members)
        {
            int port = common;
            if (!IPAddress.TryParse(element.Key, out IPAddress? address)
                || (element.Words is [_, "port", var text, ..] && !TryPort(text, out port)))
            {
                settings.Notes.Add(element, $"{element.Key} is not the address of a server to ask");
                continue;
            }
            if (element.Words.Contains("tls")) settings.Notes.Add(element, $"{element.Key}: asked without TLS");
            string upstream = new IPEndPoint(address, port).ToString();
            if (!upstreams.Contains(upstream)) upstreams.Add(upstream);
        }
        return upstreams;
    }

    private List<string> NetworksOf(ConfigStatement list, int depth)
    {
        List<string> networks = [];
        foreach (ConfigStatement element in list.Members)
        {
            if (element.Key == "any") networks.AddRange(["0.0.0.0/0", "::/0"]);
            else if (element.Key == "localhost") networks.AddRange(["127.0.0.0/8", "::1"]);
            else if (element.Key == "none") continue;
            else if (element.Key.StartsWith('!'))
            {
                // What follows could let in whom this keeps out: the first that fits decides.
                settings.Notes.Add(element, $"{element.Key} is not translated, nor what follows it");
                break;
            }
            else if (_lists.TryGetValue(element.Key, out ConfigStatement? named) && depth < MaxListDepth)
                networks.AddRange(NetworksOf(named, depth + 1));
            else if (ClientsSetting.TryParse(Whole(element.Key), out _)) networks.Add(Whole(element.Key));
            else settings.Notes.Add(element, $"{(element.Key.Length > 0 ? element.Key : "a list within a list")} is not a network");
        }
        return networks;
    }

    /// <summary>A network of IPv4 may be written without the octets that are 0 at its end: <c>10/8</c>.</summary>
    private static string Whole(string network)
    {
        int slash = network.IndexOf('/'), dots = network.Count(character => character == '.');
        bool isShort = slash > 0 && dots < 3 && network.All(character => char.IsAsciiDigit(character) || character is '.' or '/');
        return isShort ? network.Insert(slash, string.Concat(Enumerable.Repeat(".0", 3 - dots))) : network;
    }

    private static bool TryPort(string text, out int port) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out port) && port is > 0 and <= IPEndPoint.MaxPort;
}
