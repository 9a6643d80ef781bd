namespace Dns.Import.Knot;

/// <summary>Translates the modules of Knot DNS that have an equivalent here: rate limit, cookies and dnstap.</summary>
internal sealed class KnotModules(ImportedSettings settings)
{
    private const int DefaultRate = 20;

    /// <summary>Translates a module. What is for some zones there is for all of them here.</summary>
    /// <param name="module">Its name, and that of its section: <c>mod-rrl/default</c>.</param>
    /// <param name="section">Its section; null = it has none.</param>
    public void Translate(
        ConfigStatement statement, string module, ConfigStatement? section, string subject, bool isGlobal)
    {
        string kind = module.Split('/')[0];
        switch (kind)
        {
            case "mod-rrl": TranslateRateLimit(section ?? statement); break;
            case "mod-cookies": TranslateCookies(section ?? statement); break;
            case "mod-dnstap": TranslateDnstap(section); break;
            default:
                ConfigStatement named = statement with { Words = [kind] };
                KnotStatements.Modules.Report(settings.Diagnostics, named, subject);
                return;
        }
        if (!isGlobal) settings.Diagnostics.Change(statement, subject, $"{kind}: it is for all zones");
    }

    private void TranslateRateLimit(ConfigStatement section)
    {
        settings.Set(section, "RateLimit:Mode", "on");
        foreach (string kind in new[] { "Responses", "Errors", "NxDomains" })
        {
            settings.Set(section, $"RateLimit:{kind}PerSecond", DefaultRate);
            if (section.Find("rate-limit") is { } rate)
                settings.SetNumber(rate, $"RateLimit:{kind}PerSecond", 0, RateLimitOptions.MaxPerSecond);
        }
        settings.Set(section, "RateLimit:Slip", 1);
        foreach (ConfigStatement member in section.Members)
        {
            switch (member.Key)
            {
                case "id" or "rate-limit": break;
                case "slip": settings.SetNumber(member, "RateLimit:Slip", 0, RateLimitOptions.MaxSlip);
                break;
                case "table-size": settings.SetNumber(member, "RateLimit:Table", 1000, 10_000_000); break;
                case "whitelist": SetExempt(member); break;
                default:
                    settings.Diagnostics.Change(member, "mod-rrl", $"{member.Key}: this limit is not supported"); break;
            }
        }
    }

    private void SetExempt(ConfigStatement whitelist)
    {
        List<string> networks = [];
        foreach (string word in whitelist.Words.Skip(1))
            if (ImportedClients.TryReadNsd(word,
                out List<System.Net.IPNetwork> read)) networks.AddRange(read.Select(ImportedClients.Format));
            else settings.Diagnostics.Change(whitelist, word, "whitelist: not a network", ImportLimit.OfImporter);
        settings.Set(whitelist, "RateLimit:Exempt", networks.Distinct().ToArray());
    }

    private void TranslateCookies(ConfigStatement section)
    {
        settings.Set(section, "Cookies:Enabled", true);
        foreach (ConfigStatement member in section.Members)
        {
            switch (member.Key)
            {
                case "id": break;
                case "secret":
                    foreach (string word in member.Words.Skip(1))
                        settings.AddSecret(
                            member with { Words = [member.Key, word.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
                            ? word[2..] : word] });
                    break;
                case "badcookie-slip" when member.Value != "1":
                    settings.Diagnostics.Change(member, "mod-cookies",
                        "badcookie-slip: each query with a bad cookie is answered alike");
                    break;
                default: settings.Diagnostics.Remark(member, "mod-cookies",
                    $"{member.Key}: not translated, see Dns:Cookies", ImportLimit.OfImporter); break;
            }
        }
    }

    private void TranslateDnstap(ConfigStatement? section)
    {
        const string unix = "unix:";
        if (section?.Find("sink")?.Value is not { } sink) return;
        bool isSocket = sink.StartsWith(unix, StringComparison.Ordinal);
        if (sink.StartsWith("tcp:", StringComparison.Ordinal))
            settings.Diagnostics.Change(section, "mod-dnstap", "sink: dnstap goes to a Unix domain socket or a file");
        else settings.Set(section, isSocket ? "Dnstap:Socket" : "Dnstap:File",
            Path.GetFullPath(isSocket ? sink[unix.Length..] : sink));
    }
}
