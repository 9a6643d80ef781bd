namespace Dns.Import;

/// <summary>Translates the settings of Unbound's server that have an equivalent here.</summary>
internal sealed class UnboundOptions(ImportedSettings settings)
{
    private const long DefaultCache = 4 << 20;
    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;

    /// <summary>Translates a setting; false = it has no equivalent.</summary>
    public bool TryTranslate(ConfigStatement member)
    {
        switch (member.Key)
        {
            case "identity" or "version" when member.Value is null or "": break;
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
            case "unblock-lan-zones": settings.Values["Recursion:LocalNames"] = member.Value is not "yes"; break;
            case "private-address":
                settings.Values["Recursion:DropPrivateAddresses"] = true;
                _diagnostics.Remark(member, "",
                    "private-address: Dns:Recursion:DropPrivateAddresses is for all private networks");
                break;
            case "module-config": TranslateModules(member); break;
            default: return false;
        }
        return true;
    }

    /// <summary>Translates settings that say something together.</summary>
    public void TranslateTogether(List<ConfigStatement> server)
    {
        ConfigStatement? Last(string key) => server.FindLast(member => member.Key == key);
        if ((Last("msg-cache-size") ?? Last("rrset-cache-size")) is { } size)
        {
            long bytes = 0;
            foreach (string key in new[] { "msg-cache-size", "rrset-cache-size" })
                bytes += ImportedSettings.TryParseSize(Last(key)?.Value, out long part) ? part : DefaultCache;
            settings.SetSize(size, "Cache:MaxBytes", bytes);
        }
        if (Last("serve-expired")?.Value == "no") settings.Values["Cache:ServeStale"] = "0";
        else if (Last("serve-expired")?.Value == "yes")
        {
            // 0, as when nothing is said of it before 1.20, is for as long as the cache has it.
            TimeSpan most = TimeSpan.FromDays(7);
            settings.Values["Cache:ServeStale"] = DurationRule.Format(most);
            if (Last("serve-expired-ttl") is { Value: not "0" } ttl) settings.SetTime(ttl, "Cache:ServeStale", most);
        }
        if (Last("num-queries-per-thread") is { } queries
            && int.TryParse(queries.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int each)
            && int.TryParse(Last("num-threads")?.Value ?? "1", NumberStyles.None, CultureInfo.InvariantCulture,
                out int threads))
            settings.Values["Recursion:MaxInFlight"] = (int)Math.Clamp((long)each * Math.Max(threads, 1), 1, 1_000_000);
    }

    private void SetReceiveBuffer(ConfigStatement member)
    {
        if (ImportedSettings.TryParseSize(member.Value, out long bytes)
            && bytes <= 1 << 30) settings.Values["Udp:ReceiveBufferBytes"] = (int)bytes;
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
