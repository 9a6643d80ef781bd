using System.Net;
using Dns.Protocol;


namespace Dns.Server;

/// <summary>Reads lists of who may do something, such as <c>AllowTransfer</c>: addresses, keys, or both in one element.</summary>
internal static class PeerListSetting
{
    /// <summary>What such a list has to be.</summary>
    public const string Expected = "a list such as [\"192.0.2.0/24\", \"key:k1.\", \"2001:db8::/32 key:k2.\"]";

    private const string KeyPrefix = "key:";
    private const string ExpectedElement =
        "an address or network, key: and the name of a key in Dns:TsigKeys, or both, such as \"192.0.2.0/24 key:k1.\"";

    /// <summary>Reads a list. Names of keys are compared with those there are once all settings are read.</summary>
    public static IReadOnlyList<PeerRule> Read(SettingNode list, string path, SettingsBinder binder)
    {
        List<PeerRule> rules = new(list.Children.Count);
        foreach (SettingNode element in list.Children)
        {
            if (element.Value is { } text && TryParse(text, out PeerRule? rule)) rules.Add(rule);
            else binder.Expect(element, $"{path}:{element.Name}", ExpectedElement);
        }
        return rules;
    }

    /// <summary>Finds the lists, of all zones and of each, that name a key which there is not.</summary>
    /// <param name="dns">The section <c>Dns</c>.</param>
    /// <param name="binder">Has the keys, and receives what is wrong.</param>
    public static void RefuseUnknownKeys(SettingNode dns, SettingsBinder binder)
    {
        Check(dns, "Dns");
        if (dns.Find("Zones") is not { Kind: SettingKind.List } zones) return;
        foreach (SettingNode zone in zones.Children) Check(zone, $"Dns:Zones:{zone.Name}");

        void Check(SettingNode section, string path)
        {
            foreach (SettingNode element in section.Find("AllowTransfer")?.Children ?? [])
            {
                if (element.Value is { } text && TryParse(text, out PeerRule? rule) && rule.Key is { } key
                    && !binder.Options.TsigKeys.Any(known => known.Name.Equals(key)))
                    binder.Report(element, $"{path}:AllowTransfer:{element.Name}: there is no key {key} in Dns:TsigKeys");
            }
        }
    }

    /// <summary>Reads an element.</summary>
    public static bool TryParse(string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out PeerRule? rule)
    {
        rule = null;
        IReadOnlyList<IPNetwork>? networks = null;
        DomainName? key = null;
        foreach (string word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (word.StartsWith(KeyPrefix, StringComparison.OrdinalIgnoreCase))
            {
                if (key is not null || !ZonesSetting.TryParseName(word[KeyPrefix.Length..], out key)) return false;
            }
            else if (networks is not null) return false;
            else if (ClientsSetting.TryParse(word, out IPNetwork network)) networks = [network];
            else if (!ForeignAddress.TryReadNetworks(word, out networks)) return false;
        }
        if (networks is null && key is null) return false;
        rule = new PeerRule(networks, key);
        return true;
    }
}
