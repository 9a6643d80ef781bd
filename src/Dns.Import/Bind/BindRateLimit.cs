namespace Dns.Import.Bind;

/// <summary>Translates BIND's <c>rate-limit</c>: a missing rate is that of answers; 0 is no limit in both.</summary>
internal static class BindRateLimit
{
    private const int MaxPerSecond = RateLimitOptions.MaxPerSecond;

    public static void Translate(ConfigStatement limit, ImportedSettings settings, BindAddressLists lists)
    {
        settings.Set(limit, "RateLimit:Mode", limit.Find("log-only")?.Value is "yes" or "true" or "1" ? "log" : "on");
        foreach (string kind in new[] { "Responses", "Errors", "NxDomains" })
        {
            string path = $"RateLimit:{kind}PerSecond";
            settings.Set(limit, path, 0);
            if ((limit.Find($"{kind.ToLowerInvariant()}-per-second") ?? limit.Find("responses-per-second")) is { } rate)
                settings.SetNumber(rate, path, 0, MaxPerSecond);
        }
        foreach (ConfigStatement member in limit.Members)
        {
            switch (member.Key)
            {
                case "responses-per-second" or "errors-per-second" or "nxdomains-per-second" or "log-only": break;
                case "slip": settings.SetNumber(member, "RateLimit:Slip", 0, RateLimitOptions.MaxSlip);
                break;
                case "ipv4-prefix-length": settings.SetNumber(member, "RateLimit:IPv4Prefix", 8, 32); break;
                case "ipv6-prefix-length": settings.SetNumber(member, "RateLimit:IPv6Prefix", 16, 64); break;
                case "exempt-clients": settings.Set(member, "RateLimit:Exempt", 
                    lists.NetworksOf(member).Distinct().ToArray()); break;
                case "max-table-size": settings.SetNumber(member, "RateLimit:Table", 1000, 10_000_000); break;
                case "min-table-size": break;
                case "referrals-per-second" or "nodata-per-second"
                    when member.Value == limit.Find("responses-per-second")?.Value: break;
                default:
                    settings.Diagnostics.Change(member, "rate-limit", $"{member.Key}: this limit is not supported");
                break;
            }
        }
    }
}
