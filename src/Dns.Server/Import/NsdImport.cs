using System.Globalization;
using System.Net;

namespace Dns.Server;

/// <summary>Translates NSD's nsd.conf: zones with a file of their own or of a pattern, addresses, limits.</summary>
internal sealed class NsdImport(ImportedSettings settings)
{
    private const int MaxPatterns = 16, DefaultTlsPort = 853;
    private readonly Dictionary<string, ConfigStatement> _patterns = new(StringComparer.Ordinal);

    /// <summary>Translates the sections of a file and those that it includes.</summary>
    public void Translate(IReadOnlyList<ConfigStatement> sections, string file)
    {
        string directory = Path.GetDirectoryName(Path.GetFullPath(file))!;
        int port = ListenSetting.DefaultPort, tlsPort = 0;
        foreach (ConfigStatement section in sections)
        {
            if (section.Key == "pattern" && section.Find("name")?.Value is { } name) _patterns[name] = section;
            if (section.Key != "server") continue;
            if (section.Find("zonesdir")?.Value is { Length: > 0 } zones) directory = Path.GetFullPath(zones, directory);
            if (section.Find("port") is { } set && !int.TryParse(set.Value, NumberStyles.None, CultureInfo.InvariantCulture, out port))
                settings.Notes.Add(set, "port: not a number");
            if (section.Find("tls-service-key") is not null)
                tlsPort = int.TryParse(section.Find("tls-port")?.Value, out int given) ? given : DefaultTlsPort;
        }
        foreach (ConfigStatement section in sections)
        {
            if (section.Key == "server") TranslateServer(section, port, tlsPort);
            else if (section.Key == "zone") TranslateZone(section, directory);
            else if (section.Key != "pattern") settings.Notes.NotTranslated(section);
        }
        if (settings.Listen.Count == 0)
            settings.Listen.AddRange([new IPEndPoint(IPAddress.Any, port), new IPEndPoint(IPAddress.IPv6Any, port)]);
    }

    private void TranslateServer(ConfigStatement server, int port, int tlsPort)
    {
        foreach (ConfigStatement member in server.Members)
        {
            switch (member.Key)
            {
                case "zonesdir" or "port" or "username" or "pidfile" or "hide-version" or "hide-identity" or "database": break;
                // What is served encrypted there is not served in the clear here.
                case "ip-address" when tlsPort > 0 && member.Value?.EndsWith($"@{tlsPort}", StringComparison.Ordinal) == true:
                    settings.Notes.Add(member, $"{member.Value} is not translated: TLS");
                    break;
                case "ip-address": KnotImport.Listen(settings, member, port); break;
                case "identity": settings.SetText(member, "Identity", member.Value); break;
                case "nsid" when member.Value?.StartsWith("ascii_", StringComparison.Ordinal) == true:
                    settings.SetText(member, "Identity", member.Value["ascii_".Length..]);
                    break;
                case "nsid": settings.SetHex(member, "Identity", member.Value ?? ""); break;
                case "version": settings.SetText(member, "Version", member.Value); break;
                case "ipv4-edns-size" or "ipv6-edns-size": settings.SetSmallest(member, "MaxUdpPayload", 512, 65535); break;
                case "server-count": settings.SetNumber(member, "Workers", 0, 1024); break;
                case "tcp-count": settings.SetNumber(member, "Tcp:MaxConnections", 1, 1_000_000); break;
                case "cookie-secret": settings.AddSecret(member); break;
                case "answer-cookie": settings.Values["Cookies:Enabled"] = member.Value is "yes"; break;
                case "tcp-timeout": settings.SetNumber(member, "Tcp:IdleTimeoutSeconds", 1, 6553); break;
                default: settings.Notes.NotTranslated(member, "server"); break;
            }
        }
    }

    private void TranslateZone(ConfigStatement zone, string directory)
    {
        string name = zone.Find("name")?.Value ?? "";
        List<ConfigStatement> members = [.. zone.Members];
        // What a zone says itself goes before what its patterns say.
        for (int i = 0, patterns = 0; i < members.Count; i++)
        {
            if (members[i].Key != "include-pattern") continue;
            if (members[i].Value is { } wanted && _patterns.TryGetValue(wanted, out ConfigStatement? pattern) && patterns++ < MaxPatterns)
                members.AddRange(pattern.Members.Where(member => member.Key != "name"));
            else
                settings.Notes.Add(members[i], $"zone {name}: no pattern {members[i].Value}");
        }
        if (members.Find(member => member.Key == "request-xfr") is { } transfer)
            settings.Notes.Add(transfer, $"zone {name}: is transferred from another server, which is not translated");
        else
            settings.AddZone(zone, name, members.Find(member => member.Key == "zonefile")?.Value is { Length: > 0 } file
                ? Path.GetFullPath(Expand(file, name), directory) : null, ClientsOf(members));
        foreach (ConfigStatement member in members)
            if (member.Key is not ("name" or "zonefile" or "include-pattern" or "request-xfr" or "allow-query"))
                settings.Notes.NotTranslated(member, $"zone {name}");
    }

    /// <summary>The clients that may ask: everybody, unless some are named. Those that are blocked are so whatever else is said.</summary>
    private List<string>? ClientsOf(List<ConfigStatement> members)
    {
        List<ConfigStatement> lists = members.FindAll(member => member.Key == "allow-query");
        if (lists.Count == 0) return null;
        List<string> clients = [];
        List<IPNetwork> blocked = [];
        foreach (ConfigStatement list in lists)
        {
            if (!ImportedClients.TryReadNsd(list.Value ?? "", out List<IPNetwork> networks)) settings.Notes.NotTranslated(list);
            else if (list.Words is [_, _, "NOKEY"]) clients.AddRange(networks.Select(ImportedClients.Format));
            else if (list.Words is [_, _, "BLOCKED"]) blocked.AddRange(networks);
            else settings.Notes.Add(list, $"allow-query {list.Value}: not translated with a key");
        }
        foreach (IPNetwork network in blocked)
        {
            List<string> rest = ImportedClients.Without(clients, network);
            if (rest.Count < clients.Count)
                settings.Notes.Add(lists[0], $"allow-query: {string.Join(", ", clients.Except(rest))} left out, for {network} is blocked");
            clients = rest;
        }
        return clients;
    }

    /// <summary>
    /// The file name of a pattern: <c>%s</c> is the zone, <c>%1</c> to <c>%3</c> its first characters, <c>%z</c>, <c>%y</c> and
    /// <c>%x</c> its labels from the last; what is not there is a dot.
    /// </summary>
    private static string Expand(string file, string zone)
    {
        string name = zone.TrimEnd('.');
        string[] labels = name.Split('.', StringSplitOptions.RemoveEmptyEntries);
        string expanded = file.Replace("%s", name.Length == 0 ? "." : name);
        for (int i = 0; i < 3; i++)
        {
            expanded = expanded.Replace($"%{i + 1}", i < name.Length ? name[i].ToString() : ".");
            expanded = expanded.Replace($"%{"zyx"[i]}", i < labels.Length ? labels[^(i + 1)] : ".");
        }
        return expanded;
    }
}
