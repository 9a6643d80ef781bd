namespace Dns.Import.Unbound;

/// <summary>Translates the settings of Unbound's server that have an equivalent here.</summary>
/// <param name="server">All of them.</param>
internal sealed class UnboundOptions(ImportedSettings settings, List<ConfigStatement> server)
{
    private const long DefaultCache = 4 << 20;

    /// <summary>What <c>DropPrivateAddresses</c> drops, in addresses of NAT64 and mapped ones too.</summary>
    internal static readonly string[] PrivateNetworks =
        ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
            "fc00::/7", "fe80::/9", "::", "::1"];

    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;

    /// <summary>Translates a setting; false = it has no equivalent.</summary>
    public bool TryTranslate(ConfigStatement member)
    {
        switch (member.Key)
        {
            case "identity" or "version" when member.Value is null or "" || IsHidden(member.Key): break;
            case "identity": settings.SetText(member, "Identity", member.Value); break;
            case "nsid" when member.Value?.StartsWith("ascii_", StringComparison.Ordinal) == true:
                settings.SetText(member, "Identity", member.Value["ascii_".Length..]);
                break;
            case "nsid": settings.SetHex(member, "Identity", member.Value ?? ""); break;
            case "version": settings.SetText(member, "Version", member.Value); break;
            case "max-udp-size": settings.SetNumber(member, "MaxUdpPayload", 512, 65535); break;
            case "num-threads": settings.SetNumber(member, "Workers", 0, 1024); break;
            case "incoming-num-tcp": settings.SetNumber(member, "Tcp:MaxConnections", 1, 1_000_000); break;
            case "tcp-idle-timeout": settings.SetScaled(member, "Tcp:IdleTimeoutSeconds", 1, 6553, 1000); break;
            case "so-rcvbuf": SetReceiveBuffer(member); break;
            case "rrset-roundrobin": settings.SetFlag(member, "RotateRRsets"); break;
            case "deny-any": settings.SetFlag(member, "MinimalAny"); break;
            case "cookie-secret": settings.AddSecret(member); break;
            case "answer-cookie": settings.SetFlag(member, "Cookies:Enabled"); break;
            case "prefetch": settings.SetFlag(member, "Cache:Prefetch"); break;
            case "harden-below-nxdomain": settings.SetFlag(member, "Cache:NameErrorCoversNamesBelow"); break;
            case "cache-max-ttl": settings.SetTime(member, "Cache:MaxTtl", TimeSpan.FromDays(7)); break;
            case "cache-min-ttl": settings.SetTime(member, "Cache:MinTtl", TimeSpan.FromDays(1)); break;
            case "cache-max-negative-ttl": settings.SetTime(member, "Cache:MaxNegativeTtl", TimeSpan.FromDays(1));
            break;
            case "serve-expired-client-timeout" when member.Value is not "0":
                settings.SetNumber(member, "Recursion:AnswerWithinMs", 100, 4900);
                break;
            case "serve-expired-client-timeout":
                _diagnostics.Change(member, "",
                    "serve-expired-client-timeout 0: an upstream is queried before a stale answer is sent");
                break;
            case "unblock-lan-zones": break;
            case "private-address": settings.Set(member, "Recursion:DropPrivateAddresses", true); break;
            case "module-config": TranslateModules(member); break;
            default: return false;
        }
        return true;
    }

    /// <summary>Translates settings that say something together.</summary>
    public void TranslateTogether()
    {
        ReportPrivateAddresses();
        if ((Last("msg-cache-size") ?? Last("rrset-cache-size")) is { } size)
        {
            long bytes = 0;
            foreach (string key in new[] { "msg-cache-size", "rrset-cache-size" })
                bytes += ImportedSettings.TryParseSize(Last(key)?.Value, out long part) ? part : DefaultCache;
            settings.SetSize(size, "Cache:MaxBytes", bytes);
        }
        if (Last("serve-expired") is { Value: "no" } not) settings.Set(not, "Cache:ServeStale", "0");
        else if (Last("serve-expired") is { Value: "yes" } expired)
        {
            // 0, as when nothing is said of it before 1.20, is for as long as the cache has it.
            TimeSpan most = TimeSpan.FromDays(7);
            settings.Set(expired, "Cache:ServeStale", DurationText.Format(most));
            if (Last("serve-expired-ttl") is { Value: not "0" } ttl) settings.SetTime(ttl, "Cache:ServeStale", most);
        }
        if (Last("num-queries-per-thread") is { } queries
            && int.TryParse(queries.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int each)
            && int.TryParse(Last("num-threads")?.Value ?? "1", NumberStyles.None, CultureInfo.InvariantCulture,
                out int threads))
            settings.Set(queries, "Recursion:MaxInFlight",
                (int)Math.Clamp((long)each * Math.Max(threads, 1), 1, 1_000_000));
    }

    private ConfigStatement? Last(string key) => server.FindLast(member => member.Key == key);

    private bool IsHidden(string key) => Last($"hide-{key}")?.Value == "yes";

    /// <summary>Here the networks are fixed.</summary>
    private void ReportPrivateAddresses()
    {
        const string setting = "Dns:Recursion:DropPrivateAddresses";
        List<ConfigStatement> members = server.FindAll(member => member.Key == "private-address");
        if (members.Count == 0) return;
        List<string> listed = [];
        foreach (ConfigStatement member in members)
        {
            if (!ImportedClients.TryReadNsd(member.Value ?? "", out List<IPNetwork> networks)) networks = [];
            listed.AddRange(networks.Select(ImportedClients.Format));
            // Of an address that is mapped there are no networks.
            if (networks.Count == 0 || ImportedClients.Except([.. networks.Select(ImportedClients.Format)],
                PrivateNetworks, _diagnostics, member) is not [])
                _diagnostics.Change(member, "",
                    $"private-address {member.Value}: not all of its addresses are dropped by {setting}");
        }
        string[] more = [.. PrivateNetworks.Where(network =>
            ImportedClients.Except([network], listed, _diagnostics, members[0]) is not [])];
        if (more.Length > 0)
            _diagnostics.Change(members[0], "",
                $"private-address: {setting} drops addresses that are not listed, of {string.Join(' ', more)}");
    }

    private void SetReceiveBuffer(ConfigStatement member)
    {
        if (ImportedSettings.TryParseSize(member.Value, out long bytes)
            && bytes <= 1 << 30) settings.Set(member, "Udp:ReceiveBufferBytes", (int)bytes);
        else _diagnostics.Change(member, "", "so-rcvbuf: not an amount of memory, see Dns:Udp:ReceiveBufferBytes",
            ImportLimit.OfImporter);
    }

    private void TranslateModules(ConfigStatement member)
    {
        foreach (string module in string.Join(' ', member.Words.Skip(1))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries))
            if (module is "subnetcache" or "cachedb") _diagnostics.Change(member, "", $"module-config: {module}");
            else if (module is not ("iterator" or "validator"))
                _diagnostics.Block(member, "", $"module-config: {module}");
    }
}
