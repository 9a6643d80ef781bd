namespace Dns.Configuration.SettingTypes;

/// <summary>Reads the lists that say which answers are in the log of queries.</summary>
internal static class QueryLogFilters
{
    public const string ExpectedZones = "a list of names such as [\"example.com\", \"2.0.192.in-addr.arpa\"]";

    public const string ExpectedRcodes = "a list of RCODEs such as [\"SERVFAIL\", \"NXDOMAIN\"]";

    /// <summary>The codes that the header of an answer can have, by mnemonic.</summary>
    private static readonly Dictionary<string, Rcode> Known = Enum.GetValues<Rcode>()
        .Where(rcode => (int)rcode <= MessageHeader.RcodeMask).Distinct()
        .ToDictionary(RcodeText.Format, StringComparer.OrdinalIgnoreCase);

    /// <summary>Reads <c>Dns:QueryLog:Zones</c>.</summary>
    public static void ApplyZones(SettingNode list, string path, SettingsBinder binder)
    {
        List<DomainName> zones = [];
        foreach (SettingNode element in list.Children)
        {
            if (element.Value is { } text && ZonesSetting.TryParseName(text, out DomainName? zone)) zones.Add(zone);
            else binder.Expect(element, $"{path}:{element.Name}",
                "a domain name in ASCII (international names as xn--...)");
        }
        binder.Options.QueryLog.Zones = zones;
    }

    /// <summary>Reads <c>Dns:QueryLog:Rcodes</c>.</summary>
    public static void ApplyRcodes(SettingNode list, string path, SettingsBinder binder)
    {
        List<Rcode> rcodes = [];
        foreach (SettingNode element in list.Children)
        {
            if (element.Value is { } text && Known.TryGetValue(text, out Rcode rcode)) rcodes.Add(rcode);
            else binder.Expect(element, $"{path}:{element.Name}", "one of " + string.Join(", ", Known.Keys));
        }
        binder.Options.QueryLog.Rcodes = rcodes;
    }
}
