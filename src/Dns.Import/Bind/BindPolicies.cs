using static Dns.Import.Shared.ImportLimit;
using static Dns.Import.Shared.ImportSeverity;

namespace Dns.Import.Bind;

/// <summary>Translates BIND's <c>dnssec-policy</c>: the blocks of that name, and which of them a zone has.</summary>
internal sealed class BindPolicies(ImportedSettings settings)
{
    /// <summary>What of a block has no equivalent.</summary>
    private static readonly ImportTable Members = new(
        (Changes, OfServer, "one time is for all signatures", "signatures-validity-dnskey"),
        (Changes, OfServer, "the key set is signed on this machine", "offline-ksk"),
        (Changes, OfServer, "rollovers go on by themselves", "manual-mode"),
        (Changes, OfServer, "CDS has the digest of the algorithm, and CDNSKEY is beside it",
            "cds-digest-types cdnskey"),
        (Cosmetic, None, "the longest TTL is that of the zone", "max-zone-ttl"),
        (Cosmetic, None, "keys that are out of use are kept for 90 days", "purge-keys"),
        (Cosmetic, None, "", "signatures-jitter inline-signing publish-safety"));

    private readonly HashSet<string> _known = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Translates the blocks, wherever they stand.</summary>
    public void Collect(IEnumerable<ConfigStatement> statements)
    {
        foreach (ConfigStatement block in statements)
            if (block is { Key: "dnssec-policy", Value: { } name, Block: not null } && _known.Add(name))
                Translate(block, name);
    }

    /// <summary>The policy of a zone: what its <c>Dnssec</c> is; null = it is not signed by the server.</summary>
    /// <param name="find">Finds a statement in the zone, its view or the options.</param>
    public string? PolicyOf(Func<string, ConfigStatement?> find, string subject)
    {
        if (find("dnssec-policy") is not { Value: { } name } statement || name == "none") return null;
        if (name == "insecure")
        {
            settings.Diagnostics.Change(statement, subject,
                "dnssec-policy insecure: the zone is not signed from the start");
            return null;
        }
        if (name != "default" && !_known.Contains(name))
        {
            settings.Diagnostics.Block(statement, subject, $"dnssec-policy: there is no policy {name}", OfImporter);
            return null;
        }
        settings.Diagnostics.Block(statement, subject,
            "dnssec-policy: its keys are not imported: \"dnsd keys import\" does that, before the first start",
            OfImporter);
        settings.Diagnostics.Change(statement, subject, ImportedPolicy.SerialOfFile, OfImporter);
        return name;
    }

    private void Translate(ConfigStatement block, string name)
    {
        if (DnssecPoliciesSetting.IsOff(name))
        {
            settings.Diagnostics.Block(block, $"policy {name}", "off is no name of a policy", OfImporter);
            return;
        }
        ImportedPolicy policy = new(settings, block, name);
        // Its own, where it says nothing: longer than those here.
        (policy.Values["DnskeyTtl"], policy.Values["ParentPropagationDelay"]) = ("1h", "1h");
        policy.Values["ZskLifetime"] = "0";
        foreach (ConfigStatement member in block.Members) TranslateMember(policy, member);
        policy.Add();
    }

    private void TranslateMember(ImportedPolicy policy, ConfigStatement member)
    {
        switch (member.Key)
        {
            case "keys": TranslateKeys(policy, member); break;
            case "nsec3param": TranslateNsec3(policy, member); break;
            case "signatures-validity": policy.SetTime(member, "SignatureLifetime", member.Value); break;
            case "signatures-refresh": policy.SetTime(member, "Refresh", member.Value); break;
            case "dnskey-ttl": policy.SetTime(member, "DnskeyTtl", member.Value); break;
            case "retire-safety": policy.SetTime(member, "RetireSafety", member.Value); break;
            case "zone-propagation-delay": policy.SetTime(member, "PropagationDelay", member.Value); break;
            case "parent-ds-ttl": policy.SetTime(member, "ParentDsTtl", member.Value); break;
            case "parent-propagation-delay": policy.SetTime(member, "ParentPropagationDelay", member.Value); break;
            default: Members.Report(settings.Diagnostics, member, policy.Subject); break;
        }
    }

    private void TranslateKeys(ImportedPolicy policy, ConfigStatement keys)
    {
        string[] roles = [.. keys.Members.Select(key => key.Key).Order()];
        int algorithms = keys.Members.Select(key => ImportedPolicy.AlgorithmOf(key.Following("algorithm") ?? ""))
            .Distinct().Count();
        bool isCsk = roles is ["csk"];
        if (!isCsk && roles is not ["ksk", "zsk"] || algorithms != 1)
        {
            settings.Diagnostics.Block(keys, policy.Subject,
                "keys: expected a csk, or a ksk and a zsk of one algorithm");
            return;
        }
        policy.Values["Keys"] = isCsk ? "csk" : "ksk+zsk";
        foreach (ConfigStatement key in keys.Members)
        {
            if (key.Following("algorithm") is { } algorithm) policy.SetAlgorithm(key, algorithm, BitsOf(key));
            policy.SetTime(key, key.Key == "zsk" ? "ZskLifetime" : "KskLifetime",
                key.Following("lifetime") ?? "unlimited");
            if (key.Words.Contains("key-store"))
                settings.Diagnostics.Change(key, policy.Subject, "key-store: keys are in files of the state directory");
        }
    }

    private void TranslateNsec3(ImportedPolicy policy, ConfigStatement nsec3)
    {
        policy.Values["Denial"] = "nsec3";
        if (nsec3.Following("optout") is "yes" or "true" or "1") policy.Values["OptOut"] = true;
        else if (nsec3.Following("optout") is { } flag and not ("no" or "false" or "0"))
            settings.Diagnostics.Block(nsec3, policy.Subject, $"nsec3param optout {flag}: neither yes nor no",
                OfImporter);
        foreach (string word in (string[])["iterations", "salt-length"])
            if (nsec3.Following(word) is not (null or "0"))
                settings.Diagnostics.Change(nsec3, policy.Subject,
                    $"nsec3param {word}: NSEC3 has 0 iterations and no salt");
    }

    /// <summary>The number behind the algorithm.</summary>
    private static string? BitsOf(ConfigStatement key)
    {
        int at = key.Words.ToList().IndexOf("algorithm");
        return at > 0 && key.Words.ElementAtOrDefault(at + 2) is { } bits && bits.All(char.IsAsciiDigit) ? bits : null;
    }
}
