using static Dns.Import.Shared.ImportLimit;
using static Dns.Import.Shared.ImportSeverity;

namespace Dns.Import.Knot;

/// <summary>Translates Knot's <c>policy</c> and <c>submission</c>, and which policy a zone has.</summary>
internal sealed class KnotPolicies(ImportedSettings settings)
{
    private const string Default = "default";

    /// <summary>What of a policy has no equivalent.</summary>
    private static readonly ImportTable Members = new(
        (Changes, OfServer, "keys roll over by themselves", "manual"),
        (Changes, OfServer, "the key set is signed on this machine", "offline-ksk"),
        (Changes, OfServer, "each zone has keys of its own", "ksk-shared"),
        (Changes, OfServer, "CDS is there while the DS record has to change", 
            "cds-cdnskey-publish=rollover cds-digest-type=sha256"),
        (Blocks, OfServer, "the parent is not updated: publish CDS records, or update it by hand", "ds-push"),
        (Blocks, OfServer, "keys are of one server alone",
            "dnskey-sync dnskey-management keytag-modulo unsafe-operation"),
        (Blocks, OfServer, "keys are in files of the state directory", "keystore"),
        (Cosmetic, None, "the longest TTL is that of the zone", "zone-max-ttl"),
        (Cosmetic, None, "keys that are out of use are kept for 90 days", "delete-delay"),
        (Cosmetic, None, "NSEC3 has 0 iterations and no salt",
            "nsec3-salt-length nsec3-salt-lifetime nsec3-iterations"),
        (Cosmetic, None, "",
            "id signing-threads rrsig-pre-refresh reproducible-signing zsk-size ksk-size"));

    private readonly Dictionary<string, ConfigStatement> _policies = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ConfigStatement> _submissions = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ConfigStatement> _remotes = new(StringComparer.Ordinal);
    private readonly HashSet<string> _translated = new(StringComparer.Ordinal);

    /// <summary>Takes policies and what they refer to, wherever they stand.</summary>
    public void Collect(IEnumerable<ConfigStatement> sections)
    {
        foreach (ConfigStatement section in sections)
        {
            if (section.Find("id")?.Value is not { } id) continue;
            if (section.Key == "policy") _policies[id] = section;
            else if (section.Key == "submission") _submissions[id] = section;
            else if (section.Key == "remote") _remotes[id] = section;
        }
    }

    /// <summary>The policy of a zone: what its <c>Dnssec</c> is; null = it is not signed by the server.</summary>
    /// <param name="find">Finds a statement in the zone or its template.</param>
    public string? PolicyOf(Func<string, ConfigStatement?> find, string subject)
    {
        if (find("dnssec-signing") is not { Value: "on" } signing) return null;
        string name = find("dnssec-policy")?.Value ?? Default;
        if (!_policies.TryGetValue(name, out ConfigStatement? policy) && name != Default)
        {
            settings.Diagnostics.Block(signing, subject, $"dnssec-policy: there is no policy {name}", OfImporter);
            return null;
        }
        if (_translated.Add(name)) Translate(policy ?? signing, name);
        settings.Diagnostics.Block(signing, subject,
            "dnssec-signing: its keys are not imported: with others validating resolvers reject the zone until " +
                "its DS record is theirs",
            OfImporter);
        settings.Diagnostics.Change(signing, subject, ImportedPolicy.SerialOfFile, OfImporter);
        return name;
    }

    private void Translate(ConfigStatement statement, string name)
    {
        ImportedPolicy policy = new(settings, statement, name);
        // Its own, where it says nothing.
        foreach (var (setting, value) in new (string, object)[]
            { ("Keys", "ksk+zsk"), ("ZskLifetime", "30d"), ("PropagationDelay", "1h"),
                ("Algorithm", "ecdsap256sha256") })
            policy.Values[setting] = value;
        if (statement.Key == "policy")
        {
            foreach (ConfigStatement member in statement.Members)
                if (member.Words.Count > 1) TranslateMember(policy, member, statement);
        }
        policy.Add();
    }

    private void TranslateMember(ImportedPolicy policy, ConfigStatement member, ConfigStatement statement)
    {
        bool isOn = member.Value is "on";
        switch (member.Key)
        {
            case "single-type-signing": policy.Values["Keys"] = isOn ? "csk" : "ksk+zsk"; break;
            case "algorithm": policy.SetAlgorithm(member, member.Value!,
                (statement.Find("zsk-size") ?? statement.Find("ksk-size"))?.Value); break;
            case "nsec3": policy.Values["Denial"] = isOn ? "nsec3" : "nsec"; break;
            case "nsec3-opt-out": if (isOn && statement.Find("nsec3")?.Value is "on")
                policy.Values["OptOut"] = true; break;
            case "ksk-lifetime": policy.SetTime(member, "KskLifetime", member.Value); break;
            case "zsk-lifetime": policy.SetTime(member, "ZskLifetime", member.Value); break;
            case "dnskey-ttl": policy.SetTime(member, "DnskeyTtl", member.Value); break;
            case "propagation-delay": policy.SetTime(member, "PropagationDelay", member.Value); break;
            case "rrsig-lifetime": policy.SetTime(member, "SignatureLifetime", member.Value); break;
            case "rrsig-refresh": policy.SetTime(member, "Refresh", member.Value); break;
            case "ksk-submission": TranslateSubmission(policy, member); break;
            default:
                if (Members.HasDefault(member.Key) || member.Value is not ("off" or "none" or "false" or ""))
                    Members.Report(settings.Diagnostics, member, policy.Subject);
                break;
        }
    }

    /// <summary>The first server of a list that can be asked; there each of them has to have the DS record.</summary>
    private void TranslateSubmission(ImportedPolicy policy, ConfigStatement member)
    {
        if (member.Value is not { } id || !_submissions.TryGetValue(id, out ConfigStatement? submission))
        {
            settings.Diagnostics.Block(member, policy.Subject, $"ksk-submission: there is no submission {member.Value}",
                OfImporter);
            return;
        }
        string[] parents = [.. submission.Find("parent")?.Words.Skip(1) ?? []];
        if (submission.Find("parent-delay") is { } delay) policy.SetTime(delay, "ParentPropagationDelay", delay.Value);
        foreach (string parent in parents)
        {
            if (_remotes.GetValueOrDefault(parent)?.Find("address")?.Value is not { } address
                || !ImportedPeers.TryReadServer(address, ListenSetting.DefaultPort, out ImportedAddress server))
                continue;
            policy.Values["ParentResolver"] = server.ToString();
            if (parents.Length > 1)
                settings.Diagnostics.Change(submission, policy.Subject,
                    $"submission {id}: only {parent} is queried for DS records");
            return;
        }
        settings.Diagnostics.Change(submission, policy.Subject,
            $"submission {id}: no server is queried for DS records: \"dnsd keys submitted\" says that they are at the " +
                $"parent", OfImporter);
    }
}
