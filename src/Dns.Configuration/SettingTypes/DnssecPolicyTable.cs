namespace Dns.Configuration.SettingTypes;

/// <summary>A setting of a policy and where its value goes: a row of <see cref="DnssecPolicyTable"/>.</summary>
/// <param name="Read">The policy with a value; null if the value is not what was expected.</param>
internal sealed record DnssecPolicyRule(
    string Name, string Expected, Func<SettingNode, DnssecPolicy, DnssecPolicy?> Read);

/// <summary>Every setting of a policy: a new one is a property of the policy, a row here, and the schema.</summary>
internal static class DnssecPolicyTable
{
    private const string ExpectedAddress =
        "an address with a port, such as 127.0.0.1:5353 or [::1]:5353 (without a port: 53), or null";

    private static readonly string[] Schemes = ["csk", "ksk+zsk"], Denials = ["nsec", "nsec3", "compact"];
    private static readonly string[] Serials = ["increment", "unixtime", "dateserial", "keep"];

    public static IReadOnlyList<DnssecPolicyRule> Rules { get; } =
    [
        new("Algorithm", "one of " + string.Join(", ", DnssecAlgorithms.SigningNames), ReadAlgorithm),
        new("RsaBits",
            $"a whole number of bits from {DnssecPolicy.LeastRsaBits} to {DnssecPolicy.MostRsaBits}", ReadBits),
        Choice("Keys", Schemes, (policy, i) => policy with { Keys = (KeyScheme)i }),
        Flag("OfflineKsk", (policy, v) => policy with { OfflineKsk = v }),
        Choice("Denial", Denials, (policy, i) => policy with { Denial = (DenialMethod)i }),
        Flag("OptOut", (policy, v) => policy with { OptOut = v }),
        Time("SignatureLifetime", DnssecPolicy.MostSignatureLifetime,
            (policy, v) => policy with { SignatureLifetime = v }),
        Time("Refresh", DnssecPolicy.MostSignatureLifetime, (policy, v) => policy with { Refresh = v }),
        Time("ZskLifetime", DnssecPolicy.MostKeyLifetime, (policy, v) => policy with { ZskLifetime = v }),
        Time("KskLifetime", DnssecPolicy.MostKeyLifetime, (policy, v) => policy with { KskLifetime = v }),
        Time("PropagationDelay", DnssecPolicy.MostDelay, (policy, v) => policy with { PropagationDelay = v }),
        Time("RetireSafety", DnssecPolicy.MostDelay, (policy, v) => policy with { RetireSafety = v }),
        Time("DnskeyTtl", DnssecPolicy.MostDelay, (policy, v) => policy with { DnskeyTtl = v }),
        Time("ParentDsTtl", DnssecPolicy.MostDelay, (policy, v) => policy with { ParentDsTtl = v }),
        Time("ParentPropagationDelay", DnssecPolicy.MostDelay,
            (policy, v) => policy with { ParentPropagationDelay = v }),
        Flag("Zonemd", (policy, v) => policy with { Zonemd = v }),
        Choice("Serial", Serials, (policy, i) => policy with { Serial = (SerialPolicy)i }),
        new("ParentResolver", ExpectedAddress, ReadResolver),
    ];

    public static DnssecPolicyRule? Find(string name)
    {
        foreach (DnssecPolicyRule rule in Rules)
            if (rule.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) return rule;
        return null;
    }

    private static DnssecPolicyRule Choice(string name, string[] words, Func<DnssecPolicy, int, DnssecPolicy> set) =>
        new(name, "one of " + string.Join(", ", words), (node, policy) =>
        {
            int index = Array.FindIndex(words, word => word.Equals(node.Value, StringComparison.OrdinalIgnoreCase));
            return IsText(node) && index >= 0 ? set(policy, index) : null;
        });

    private static DnssecPolicyRule Flag(string name, Func<DnssecPolicy, bool, DnssecPolicy> set) =>
        new(name, "true or false", (node, policy) =>
            node.Kind is SettingKind.Flag or SettingKind.Untyped && bool.TryParse(node.Value, out bool value)
                ? set(policy, value) : null);

    private static DnssecPolicyRule Time(string name, TimeSpan most, Func<DnssecPolicy, TimeSpan, DnssecPolicy> set) =>
        new(name, DurationRule.ExpectedUpTo(most), (node, policy) =>
            DurationRule.TryRead(node, most, out TimeSpan time) ? set(policy, time) : null);

    private static DnssecPolicy? ReadAlgorithm(SettingNode node, DnssecPolicy policy) =>
        IsText(node) && DnssecAlgorithms.TryParse(node.Value!, out DnssecAlgorithm algorithm)
        && DnssecAlgorithms.SigningNames.Contains(DnssecAlgorithms.NameOf(algorithm))
            ? policy with { Algorithm = algorithm } : null;

    private static DnssecPolicy? ReadBits(SettingNode node, DnssecPolicy policy) =>
        node.Kind is SettingKind.Number or SettingKind.Untyped
        && int.TryParse(node.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int bits)
        && bits is >= DnssecPolicy.LeastRsaBits and <= DnssecPolicy.MostRsaBits ? policy with { RsaBits = bits } : null;

    private static DnssecPolicy? ReadResolver(SettingNode node, DnssecPolicy policy)
    {
        if (node.Kind == SettingKind.Null) return policy with { ParentResolver = null };
        bool isAddress = IsText(node) & ListenSetting.TryParse(node.Value ?? "", out IPEndPoint? resolver);
        return isAddress && resolver!.Port > 0 && !resolver.Address.Equals(IPAddress.Any) &&
            !resolver.Address.Equals(IPAddress.IPv6Any)
            ? policy with { ParentResolver = resolver } : null;
    }

    private static bool IsText(SettingNode node) => node.Kind is SettingKind.Text or SettingKind.Untyped;
}
