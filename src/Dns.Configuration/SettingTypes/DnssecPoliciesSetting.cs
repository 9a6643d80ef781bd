namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:DnssecPolicies</c>: how zones are signed; <c>Dnssec</c> of a zone names one.</summary>
public static class DnssecPoliciesSetting
{
    /// <summary>The word for a zone not signed here; one that was stays signed until its DS records are gone.</summary>
    public const string Off = "off";

    /// <summary>The word of a zone that is not signed here from this moment on, whatever its parent has.</summary>
    public const string OffNow = "off-now";

    private static readonly SettingValue<DnssecAlgorithm> Algorithms = Choice(
        [.. DnssecAlgorithms.SettingNames.Select(name => (name, AlgorithmOf(name)))]);

    private const string ExpectedResolver =
        "an address with a port, such as 127.0.0.1:5353 or [::1]:5353 (without a port: 53), or null";

    private static readonly SettingValue<PeerAddress?> Resolver = new("string null", ExpectedResolver,
        "address with an optional port, or `null`", ReadResolver, resolver => resolver?.ToString());

    /// <summary>The settings of a policy.</summary>
    public static SettingsSection<DnssecPolicy> Policy { get; } =
        new SettingsSection<DnssecPolicy>("NAME", "How zones are signed, and when their keys roll over.",
            DnssecPolicy.Default) { Page = "dnssec-policies.md" }
        .Add("Algorithm", Algorithms, p => p.Algorithm, (p, v) => p with { Algorithm = v },
            "DNSSEC algorithm of the keys. A change rolls them over.", "ed25519")
        .Add("RsaBits", Number(DnssecPolicy.LeastRsaBits, DnssecPolicy.MostRsaBits, "bits"),
            p => p.RsaBits, (p, v) => p with { RsaBits = v },
            "Size of new RSA keys.", 3072)
        .Add("Keys", Choice<KeyScheme>([("csk", KeyScheme.Csk), ("ksk+zsk", KeyScheme.KskAndZsk)]),
            p => p.Keys, (p, v) => p with { Keys = v },
            "csk = one key signs everything. ksk+zsk = a KSK signs the DNSKEY RRset, a ZSK the rest. A change rolls them over.", "ksk+zsk")
        .Add("OfflineKsk", Flag, p => p.OfflineKsk, (p, v) => p with { OfflineKsk = v },
            "Whether the KSK is kept on another machine, and its signatures come in bundles. Needs \"Keys\": \"ksk+zsk\".", true)
        .Add("Denial", Choice<DenialMethod>(), p => p.Denial, (p, v) => p with { Denial = v },
            "Authenticated denial of existence: NSEC; NSEC3 with 0 iterations and no salt (RFC 9276); or compact denial, with the signatures of all answers made online (RFC 9824).", "nsec3")
        .Add("OptOut", Flag, p => p.OptOut, (p, v) => p with { OptOut = v },
            "NSEC3 opt-out: whether delegations without DS records are left out of the NSEC3 chain.", true)
        .Add("SignatureLifetime", Time(DnssecPolicy.MostSignatureLifetime),
            p => p.SignatureLifetime, (p, v) => p with { SignatureLifetime = v },
            "Validity period of signatures (RRSIG).", "21d")
        .Add("Refresh", Time(DnssecPolicy.MostSignatureLifetime), p => p.Refresh, (p, v) => p with { Refresh = v },
            "How long before it expires a signature is renewed; less than SignatureLifetime.", "7d")
        .Add("ZskLifetime", Time(DnssecPolicy.MostKeyLifetime),
            p => p.ZskLifetime, (p, v) => p with { ZskLifetime = v },
            "How long a ZSK signs before the next ZSK rollover; nothing for a CSK. 0 = until a rollover is requested.",
            "30d")
        .Add("KskLifetime", Time(DnssecPolicy.MostKeyLifetime),
            p => p.KskLifetime, (p, v) => p with { KskLifetime = v },
            "How long a KSK or CSK is used before the next rollover. 0 = until a rollover is requested.", "365d")
        .Add("PropagationDelay", Time(DnssecPolicy.MostDelay),
            p => p.PropagationDelay, (p, v) => p with { PropagationDelay = v },
            "The longest time until all secondaries have a new version of the zone.", "15m")
        .Add("RetireSafety", Time(DnssecPolicy.MostDelay), p => p.RetireSafety, (p, v) => p with { RetireSafety = v },
            "Safety margin added before a key, DS record or signature that was in use is removed.", "2h")
        .Add("DnskeyTtl", Time(DnssecPolicy.MostDelay), null, (p, v) => p with { DnskeyTtl = v },
            "TTL of the DNSKEY, CDS and CDNSKEY records. Left out = that of the SOA record.", "1h")
        .Add("ParentDsTtl", Time(DnssecPolicy.MostDelay), p => p.ParentDsTtl, (p, v) => p with { ParentDsTtl = v },
            "TTL of the DS records at the parent, until ParentResolver has shown it.", "1h")
        .Add("ParentPropagationDelay", Time(DnssecPolicy.MostDelay),
            null, (p, v) => p with { ParentPropagationDelay = v },
            "The longest time until all servers of the parent have new DS records. Left out = PropagationDelay.", "1h")
        .Add("Zonemd", Flag, p => p.Zonemd, (p, v) => p with { Zonemd = v },
            "Whether the zone gets a digest (ZONEMD, RFC 8976).", true)
        .Add("Serial", Choice<SerialPolicy>(), p => p.Serial, (p, v) => p with { Serial = v },
            "How the SOA serial of a signed version is made.", "unixtime")
        .Add("ParentResolver", Resolver, p => p.ParentResolver, (p, v) => p with { ParentResolver = v },
            "Server that is queried for the DS records of the zones, ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT. null = an operator confirms them with \"dnsd keys submitted\".", "127.0.0.1:5353");

    internal static SettingValue<IReadOnlyDictionary<string, DnssecPolicy>> Value { get; } = Named(
        "an object with a policy under each name, such as { \"NAME\": { \"Denial\": \"nsec3\" } }",
        "policies", "a policy", Read, Policy);

    /// <summary>Reports the zones and templates whose policy there is not.</summary>
    internal static void CheckNames(SettingsBinder binder)
    {
        foreach (ZoneSettings values in binder.Templates.Values.Concat(binder.Zones))
        {
            if (values.Node.Find("Dnssec") is not { } node || values.Dnssec is not { } name || IsOff(name)) continue;
            if (binder.Options.StateDirectory is null)
                binder.Report(node,
                    $"{values.Path}:Dnssec: keys are kept in Dns:StateDirectory, which is null: expected a directory");
            if (binder.Options.FindDnssecPolicy(name) is not null) continue;
            IEnumerable<string> known = [.. binder.Options.DnssecPolicies.Keys, DnssecPolicy.DefaultName, Off, OffNow];
            known = known.Distinct();
            string guess = NearestName.Find(name, known) is { } near ? $"did you mean \"{near}\"?"
                : "expected one of " + string.Join(", ", known.Take(12));
            binder.Report(node, $"{values.Path}:Dnssec: there is no policy \"{name}\" in Dns:DnssecPolicies: {guess}");
        }
    }

    /// <summary>Whether a word says that a zone is not signed here.</summary>
    public static bool IsOff(string word) => Off.Equals(word, StringComparison.OrdinalIgnoreCase) || IsOffNow(word);

    /// <summary>Whether a word says that a zone is served unsigned at once.</summary>
    public static bool IsOffNow(string word) => OffNow.Equals(word, StringComparison.OrdinalIgnoreCase);

    private static DnssecPolicy? Read(SettingNode entry, string path, SettingsBinder binder)
    {
        if (IsOff(entry.Name))
        {
            binder.Report(entry,
                $"{path}: \"Dnssec\": \"{entry.Name}\" says that a zone is not signed: expected another name");
            return null;
        }
        // An error that depends on them would only repeat that they could not be read.
        HashSet<string> unread = [];
        DnssecPolicy policy = Policy.Read(entry, path, binder, DnssecPolicy.Default with { Name = entry.Name }, unread);
        if (!unread.Contains("Algorithm") && entry.Find("Algorithm") is { } named
            && !DnssecAlgorithms.CanSign(policy.Algorithm))
            binder.Expect(
                named, $"{path}:Algorithm", "one of " + string.Join(", ", DnssecAlgorithms.SigningNames));
        foreach (var (setting, message) in policy.FindErrors(unread))
            binder.Report(entry.Find(setting) ?? entry, $"{path}:{setting}: {message}");
        return policy;
    }

    private static DnssecAlgorithm AlgorithmOf(string name) =>
        DnssecAlgorithms.TryParse(name, out DnssecAlgorithm algorithm) ? algorithm : default;

    private static bool ReadResolver(
        SettingNode node, string path, SettingsBinder binder, out PeerAddress? resolver)
    {
        resolver = ForeignAddress.ReadServer(node.Value!);
        if (resolver is null && ForeignAddress.DescribeScheme(node.Value!) is { } scheme)
            binder.Expect(node, path, $"{ExpectedResolver}; {scheme}");
        return resolver is not null;
    }
}
