using System.Globalization;
using System.Net;

namespace Dns.Server;

/// <summary>Translates Knot DNS's knot.conf: zones with their files by template, addresses, limits.</summary>
internal sealed class KnotImport(ImportedSettings settings)
{
    private const string DefaultStorage = "/var/lib/knot";
    private const string DefaultTemplate = "default";
    private readonly Dictionary<string, ConfigStatement> _templates = new(StringComparer.Ordinal);

    /// <summary>Translates the sections of a file and those that it includes.</summary>
    public void Translate(IReadOnlyList<ConfigStatement> sections)
    {
        foreach (ConfigStatement template in sections.Where(section => section.Key == "template"))
            if (template.Find("id")?.Value is { } id) _templates[id] = template;
        foreach (ConfigStatement section in sections)
        {
            if (section.Key == "server") TranslateServer(section);
            else if (section.Key == "zone" && section.Members.Count == 0) continue;
            else if (section.Key == "zone") TranslateZone(section);
            else if (section.Key != "template") settings.Notes.NotTranslated(section);
        }
    }

    /// <summary>Adds addresses in the form <c>ADDRESS@PORT</c>, which NSD has too.</summary>
    public static void Listen(ImportedSettings settings, ConfigStatement statement, int defaultPort)
    {
        foreach (string word in statement.Words.Skip(1))
        {
            int at = word.IndexOf('@'), port = defaultPort;
            bool hasPort = at < 0 || (int.TryParse(word.AsSpan(at + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port)
                && port is > 0 and <= IPEndPoint.MaxPort);
            // NSD lets options follow the address.
            if (word.Contains('=')) settings.Notes.Add(statement, $"{word} is not translated");
            else if (!hasPort) settings.Notes.Add(statement, $"{word} is not an address to listen on");
            else settings.AddListen(statement, at < 0 ? word : word[..at], port);
        }
    }

    private void TranslateServer(ConfigStatement server)
    {
        foreach (ConfigStatement member in server.Members)
        {
            switch (member.Key)
            {
                case "user" or "rundir" or "pidfile": break;
                case "listen": Listen(settings, member, ListenSetting.DefaultPort); break;
                case "identity" or "nsid": settings.SetText(member, "Identity", member.Value); break;
                case "version": settings.SetText(member, "Version", member.Value); break;
                case "udp-max-payload" or "udp-max-payload-ipv4": settings.SetNumber(member, "MaxUdpPayload", 512, 65535); break;
                case "udp-workers": settings.SetNumber(member, "Workers", 0, 1024); break;
                case "tcp-max-clients": settings.SetNumber(member, "Tcp:MaxConnections", 1, 1_000_000); break;
                case "tcp-idle-timeout": settings.SetNumber(member, "Tcp:IdleTimeoutSeconds", 1, 6553); break;
                case "answer-rotation": settings.Values["RotateRRsets"] = member.Value is "on" or "true"; break;
                default: settings.Notes.NotTranslated(member, "server"); break;
            }
        }
    }

    private void TranslateZone(ConfigStatement zone)
    {
        string name = zone.Find("domain")?.Value ?? "";
        string wanted = zone.Find("template")?.Value ?? DefaultTemplate;
        if (!_templates.TryGetValue(wanted, out ConfigStatement? template) && wanted != DefaultTemplate)
            settings.Notes.Add(zone, $"zone {name}: no template {wanted}");
        ConfigStatement? Of(string key) => zone.Find(key) ?? template?.Find(key);
        if (Of("master") is { } master)
        {
            settings.Notes.Add(master, $"zone {name}: is transferred from another server, which is not translated");
            return;
        }
        string storage = Of("storage")?.Value ?? DefaultStorage;
        string file = (Of("file")?.Value ?? "%s.zone").Replace("%s", name.Length > 1 ? name.TrimEnd('.') : name);
        if (file.Contains('%')) settings.Notes.Add(Of("file") ?? zone, $"zone {name}: the file {file} is not translated");
        else settings.AddZone(zone, name, Path.GetFullPath(file, Path.GetFullPath(storage)));
        foreach (ConfigStatement member in zone.Members.Concat(template?.Members ?? []))
            if (member.Key is not ("domain" or "id" or "template" or "storage" or "file" or "master" or "semantic-checks"))
                settings.Notes.NotTranslated(member, $"zone {name}");
    }
}
