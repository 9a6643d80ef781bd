namespace Dns.Configuration.SettingTypes;

/// <summary>Reads access lists such as <c>AllowTransfer</c>: addresses, keys, or both in one element.</summary>
public static class PeerListSetting
{
    public static SettingValue<IReadOnlyList<PeerRule>> Value { get; } =
        ListOf<PeerRule>("a list such as [\"192.0.2.0/24\", \"key:k1.\", \"2001:db8::/32 key:k2.\"]", Read);

    private const string KeyPrefix = "key:";

    public const string ExpectedElement =
        "an address or network, key: and the name of a key in Dns:TsigKeys, or both, such as \"192.0.2.0/24 key:k1.\"";

    private static void Read(SettingNode element, string path, SettingsBinder binder, List<PeerRule> rules)
    {
        if (ReadElement(element, path, binder) is { } rule) rules.Add(rule);
    }

    /// <summary>Reads one element; null if it was reported what is wrong with it.</summary>
    public static PeerRule? ReadElement(SettingNode element, string path, SettingsBinder binder)
    {
        if (element.Value is not { } text || !TryParse(text, out PeerRule? rule))
        {
            string? meant = element.Value?.Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(ClientsSetting.DescribeNetwork).FirstOrDefault(found => found is not null);
            binder.Expect(element, path, meant is null ? ExpectedElement
                : $"{ExpectedElement}, without bits behind the length; {meant}");
            return null;
        }
        if (rule.Key is { } key) binder.References.UseKey(element, path, key);
        return rule;
    }

    public static bool TryParse(string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out PeerRule? rule)
    {
        rule = null;
        IReadOnlyList<IPNetwork>? networks = null;
        DomainName? key = null;
        foreach (string word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (IsKey(word))
            {
                if (key is not null || !TryParseKey(word, out key)) return false;
            }
            else if (networks is not null) return false;
            else if (ClientsSetting.TryParse(word, out IPNetwork network)) networks = [network];
            else if (!ForeignAddress.TryReadNetworks(word, out networks)) return false;
        }
        if (networks is null && key is null) return false;
        rule = new PeerRule(networks, key);
        return true;
    }

    public static bool IsKey(string word) => word.StartsWith(KeyPrefix, StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads <c>key:NAME</c>.</summary>
    public static bool TryParseKey(string word, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out DomainName? key)
    {
        key = null;
        return IsKey(word) && ZonesSetting.TryParseName(word[KeyPrefix.Length..], out key);
    }
}
