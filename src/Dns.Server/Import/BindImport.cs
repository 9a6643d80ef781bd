using System.Globalization;
using System.Net;

namespace Dns.Server;

/// <summary>Translates BIND's named.conf: zones with a file, forwarding, addresses, who may ask for what is forwarded.</summary>
internal sealed class BindImport(ImportedSettings settings)
{
    private static readonly string[] Ignored = ["key", "controls", "logging", "statistics-channels", "trust-anchors", "managed-keys",
        "trusted-keys", "dnssec-policy", "primaries", "masters", "server", "tls", "http", "dlz", "dyndb", "plugin", "lwres"];

    private readonly BindAddressLists _lists = new(settings.Notes);
    private string _directory = "";
    private ConfigStatement? _options, _allowQuery;

    /// <summary>Translates the statements of a file and those that it includes.</summary>
    public void Translate(IReadOnlyList<ConfigStatement> statements, string file)
    {
        _directory = Path.GetDirectoryName(Path.GetFullPath(file))!;
        // Lists and the directory count wherever they stand.
        foreach (ConfigStatement list in statements.Where(s => s is { Key: "acl", Value: not null })) _lists.Add(list);
        foreach (ConfigStatement options in statements.Where(s => s.Key == "options"))
        {
            _options = options;
            _allowQuery = options.Find("allow-query") ?? _allowQuery;
            if (options.Find("directory")?.Value is { } directory) _directory = Path.GetFullPath(directory, _directory);
        }
        foreach (ConfigStatement statement in statements) TranslateStatement(statement);
        TranslateRecursion();
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
                TranslateZone(statement, _lists.ClientsOf(statement.Find("allow-query") ?? _allowQuery));
                break;
            case "view":
                TranslateView(statement);
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
            case "server-id" when option.Value is not ("hostname" or "none"): settings.SetText(option, "Identity", option.Value); break;
            case "version" when option.Value is not "none": settings.SetText(option, "Version", option.Value); break;
            case "server-id" or "version" when option.Value == "none": break;
            case "max-udp-size": settings.SetNumber(option, "MaxUdpPayload", 512, 65535); break;
            case "tcp-clients": settings.SetNumber(option, "Tcp:MaxConnections", 1, 1_000_000); break;
            case "minimal-any": settings.Values["MinimalAny"] = option.Value is "yes" or "true" or "1"; break;
            case "rate-limit": BindRateLimit.Translate(option, settings, _lists); break;
            case "cookie-secret": settings.AddSecret(option); break;
            case "answer-cookie": settings.Values["Cookies:Enabled"] = option.Value is "yes" or "true" or "1"; break;
            case "allow-recursion": settings.AllowFrom = _lists.NetworksOf(option); break;
            case "allow-query" or "recursion" or "allow-query-cache": break;
            default: settings.Notes.NotTranslated(option, "options"); break;
        }
    }

    /// <summary>Who may ask for what is forwarded. One list stands in for another that is missing.</summary>
    private void TranslateRecursion()
    {
        if (_options is null) return;
        ConfigStatement? other = _options.Find("allow-query-cache") ?? _options.Find("allow-query");
        if (_options.Find("recursion")?.Value is "no" or "false" or "0") settings.AllowFrom = [];
        else if (settings.AllowFrom is not null) return;
        else if (other is not null) settings.AllowFrom = _lists.NetworksOf(other);
        else if (settings.IsForwarding)
        {
            settings.AllowFrom = ["127.0.0.0/8", "::1"];
            settings.Notes.Add(_options, "options: no allow-recursion: this machine may ask for what is forwarded, its networks may not");
        }
    }

    private void TranslateListen(ConfigStatement option, IPAddress any)
    {
        // Its queries come encrypted, or with a header before them: served here in the clear, they would be something else.
        int tls = option.Words.ToList().IndexOf("tls");
        bool isTls = tls > 0 && option.Words.ElementAtOrDefault(tls + 1) != "none";
        if (isTls || option.Words.Contains("http") || option.Words.Contains("proxy"))
        {
            settings.Notes.Add(option, $"{string.Join(' ', option.Words)} is not translated");
            return;
        }
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

    /// <summary>A view is its zones, for the clients that it is for.</summary>
    private void TranslateView(ConfigStatement view)
    {
        List<string>? clients = _lists.ClientsOf(view.Find("match-clients"));
        settings.Notes.Add(view, $"view {view.Value}: its zones are taken, for {(clients is null ? "everybody" : "its clients")}");
        foreach (ConfigStatement inner in view.Members)
        {
            if (inner.Key == "zone")
                TranslateZone(inner, ImportedClients.Both(
                    clients, _lists.ClientsOf(inner.Find("allow-query") ?? view.Find("allow-query") ?? _allowQuery)));
            else if (inner.Key is not ("match-clients" or "allow-query"))
                settings.Notes.NotTranslated(inner, $"view {view.Value}");
        }
    }

    private void TranslateZone(ConfigStatement zone, List<string>? clients)
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
                settings.AddZone(zone, name, file is null ? null : Path.GetFullPath(file, _directory), clients);
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

    private static bool TryPort(string text, out int port) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out port) && port is > 0 and <= IPEndPoint.MaxPort;
}
