using static Dns.Import.Shared.ImportLimit;
using static Dns.Import.Shared.ImportSeverity;

namespace Dns.Import.Bind;

/// <summary>What of named.conf is not translated, and what that means.</summary>
internal static class BindStatements
{
    /// <summary>Statements outside all others.</summary>
    public static ImportTable Top { get; } = new(
        (Cosmetic, None, "dnsd status and other commands query the running server", "controls"),
        (Changes, OfServer, "answers are not validated", "trust-anchors managed-keys trusted-keys"),
        (Cosmetic, None, "its use is reported where it is used",
            "key-store parental-agents tls http"),
        (Cosmetic, None, "", "dnssec-policy"),
        (Blocks, OfServer, "zones come from files only", "dlz dyndb"),
        (Blocks, OfServer, "there are no plug-ins", "plugin"),
        (Blocks, OfServer, "there is no light-weight resolver", "lwres"));

    /// <summary>What options and statements <c>server</c> have in common.</summary>
    public const string ChosenQuerySource = "upstreams are queried from addresses and ports that the system chooses",
        ChosenTransferSource = "transfers and NOTIFY are sent from addresses that the system chooses",
        RequestedIxfr = "IXFR is requested of all primaries",
        RequestedExpire = "the EXPIRE option is requested of all primaries, and limits when a zone expires",
        ProvidedIxfr = "secondaries get the changes that they request (IXFR)",
        OneFormat = "messages of transfers have many records each",
        OwnTransferLimits = "transfers and NOTIFY have limits and times of their own";

    /// <summary>Statements of options, views and zones that say nothing with these values.</summary>
    private static readonly HashSet<string> Denials = ["no", "none", "off", "false", "0", "disabled", "never", "*"];

    private static ImportTable Options { get; } = new(
        (Blocks, OfServer, "a secondary forwards no updates", "allow-update-forwarding"),
        (Blocks, OfImporter, "a zone is signed by a policy: Dnssec in its entry names one of Dns:DnssecPolicies",
            "auto-dnssec"),
        (Changes, OfImporter, "DS records at the parent are seen by ParentResolver of a policy",
            "parental-agents checkds"),
        (Changes, OfServer, "answers are not validated",
            "dnssec-validation validate-except dnssec-must-be-secure trust-anchor-telemetry"),
        (Changes, OfServer, "signatures are in answers to all queries with DO", "dnssec-enable=yes"),
        (Changes, OfServer, "forwarded names are never resolved here when upstreams fail", "forward"),
        (Blocks, OfServer, "answers are not rewritten by policy zones", "response-policy dnsrps-enable"),
        (Blocks, OfServer, "addresses are not synthesized", "dns64 dns64-server dns64-contact"),
        (Blocks, OfServer, "zones are configured one by one, by directory or by catalog",
            "new-zones-directory allow-new-zones"),
        (Blocks, OfServer, "names that do not exist are not answered otherwise", "nxdomain-redirect"),
        (Blocks, OfServer, "there are no plug-ins", "plugin dlz dyndb database"),
        (Changes, OfImporter, "Dns:Recursion:DropPrivateAddresses does it for private networks",
            "deny-answer-addresses"),
        (Changes, OfServer, "answers are not filtered",
            "deny-answer-aliases filter-aaaa-on-v4 filter-aaaa-on-v6 no-case-compress sortlist"),
        (Changes, OfServer, "its clients get REFUSED, not silence", "blackhole"),
        (Changes, OfServer, "Dns:Recursion:LocalNames is for all of them or none", "disable-empty-zone"),
        (Changes, OfServer, "the order of records is that of the file, or rotates (Dns:RotateRRsets)", "rrset-order"),
        (Changes, OfServer, "the cache has no such limit", "min-ncache-ttl max-cache-ttl min-cache-ttl max-ncache-ttl"),
        (Changes, OfServer, "stale answers have a TTL of 30 seconds", "stale-answer-ttl=30"),
        (Changes, OfServer, "clients get SERVFAIL after times of its own",
            "resolver-query-timeout=10000 servfail-ttl=1"),
        (Changes, OfServer, "cookies are made with SipHash: other servers of the address have to make the same",
            "cookie-algorithm=siphash24"),
        (Changes, OfServer, "GSS-TSIG is not known",
            "tkey-gssapi-credential tkey-gssapi-keytab tkey-dhkey tkey-domain"),
        (Changes, OfServer, "this limit is not supported on a zone", "max-records max-zone-ttl=unlimited"),
        (Changes, OfImporter, "dnstap is written with Dns:Dnstap:Socket or Dns:Dnstap:File", "dnstap dnstap-output"),
        (Changes, OfServer, ChosenQuerySource,
            "query-source query-source-v6 dual-stack-servers use-v4-udp-ports use-v6-udp-ports avoid-v4-udp-ports " +
                "avoid-v6-udp-ports"),
        (Changes, OfServer, ChosenTransferSource,
            """
            transfer-source transfer-source-v6 notify-source notify-source-v6 alt-transfer-source alt-transfer-source-v6
            use-alt-transfer-source
            """),
        (Changes, OfServer, RequestedIxfr, "request-ixfr=yes"),
        (Changes, OfServer, RequestedExpire, "request-expire=yes"),
        (Changes, OfServer, ProvidedIxfr, "provide-ixfr=yes"),
        (Changes, OfServer, OneFormat, "transfer-format=many-answers"),
        (Changes, OfServer, "a primary that does not answer over UDP is queried over TCP", "try-tcp-refresh=yes"),
        (Changes, OfServer, "the server of the SOA record gets no NOTIFY, unless Dns:Notify lists it",
            "notify-to-soa"),
        (Changes, OfServer, ImportedTimers.OfSoa,
            "max-refresh-time=2419200 max-retry-time=1209600 min-retry-time min-refresh-time"),
        (Changes, OfImporter, "transfers have other limits (Dns:Transfer)",
            "max-transfer-idle-in=60 max-transfer-idle-out=60 max-transfer-time-out=120 min-transfer-rate-in"),
        (Changes, OfServer, "one identity and one version answer", "hostname"),
        (Changes, OfServer, "PROXY headers: Dns:Proxy:From lists the proxies", "allow-proxy allow-proxy-on"),
        (Changes, OfServer, "answers are not like this",
            "response-padding require-server-cookie nocookie-udp-size sig0checks-quota"),
        (Cosmetic, OfServer, "the server limits itself otherwise",
            """
            fetches-per-server fetches-per-zone fetch-quota-params max-clients-per-query clients-per-query
            max-recursion-depth max-recursion-queries max-query-count max-query-restarts resolver-retry-interval
            resolver-nonbackoff-tries lame-ttl stale-refresh-time stale-cache-enable
            reserved-sockets sockets
            files coresize datasize stacksize tcp-listen-queue tcp-advertised-timeout tcp-keepalive-timeout tcp-receive-buffer
            tcp-send-buffer udp-receive-buffer udp-send-buffer edns-udp-size heartbeat-interval cleaning-interval reuseport
            """),
        (Cosmetic, OfServer, OwnTransferLimits,
            """
            notify-delay notify-rate startup-notify-rate serial-query-rate transfer-message-size transfers-per-ns
            multi-master request-ixfr-max-diffs ixfr-from-differences max-ixfr-ratio max-journal-size journal
            flush-zones-on-shutdown masterfile-style
            """),
        (Changes, OfImporter, "signed versions follow the serial of the file, or Serial of their policy in "
            + "Dns:DnssecPolicies, updates raise it by one: it has to stay above the one served so far",
            "serial-update-method"),
        (Changes, OfImporter, "signatures last as long as SignatureLifetime of a policy says",
            "sig-validity-interval=30 dnskey-sig-validity"),
        (Cosmetic, OfServer, "signing goes by policies, and there is no validation",
            """
            dnssec-accept-expired dnssec-dnskey-kskonly dnssec-secure-to-insecure dnssec-update-mode
            sig-signing-nodes sig-signing-signatures sig-signing-type update-check-ksk nta-lifetime nta-recheck
            nsec3-test-zone root-key-sentinel synth-from-dnssec disable-algorithms disable-ds-digests bindkeys-file
            parental-source parental-source-v6 zero-no-soa-ttl zero-no-soa-ttl-cache
            session-keyalg session-keyname
            """),
        (Cosmetic, None, "dnsd check checks zones in its own way",
            """
            check-names check-dup-records check-integrity check-mx check-mx-cname check-ns check-sibling check-spf
            check-srv-cname check-svcb
            check-wildcard max-rsa-exponent-size
            """),
        (Cosmetic, None, "metrics, status page and log are the server's own",
            """
            zone-statistics statistics-file dump-file memstatistics memstatistics-file recursing-file secroots-file lock-file
            dnstap-identity dnstap-version fstrm-set-buffer-hint fstrm-set-flush-timeout fstrm-set-input-queue-size
            fstrm-set-output-notify-threshold fstrm-set-output-queue-model fstrm-set-output-queue-size fstrm-set-reopen-interval
            querylog geoip-directory
            """),
        (Cosmetic, None, "",
            """
            allow-transfer also-notify notify allow-notify allow-update update-policy catalog-zones primaries masters
            dnssec-policy inline-signing dnssec-loadkeys-interval
            directory pid-file session-keyfile managed-keys-directory key-directory port auth-nxdomain minimal-responses
            message-compression qname-minimization send-cookie interface-interval automatic-interface-scan
            ipv4only-enable ipv4only-server ipv4only-contact max-udp-size additional-from-auth additional-from-cache glue-cache
            match-mapped-addresses preferred-glue prefetch request-nsid require-cookie
            allow-query allow-recursion allow-query-cache allow-query-on allow-recursion-on allow-query-cache-on recursion
            masterfile-format acache-enable fake-iquery has-old-clients host-statistics maintain-ixfr-base max-acache-size
            empty-server empty-contact tcp-primaries-timeout
            """));

    /// <summary>Reports a statement of options, of a view or of a zone, unless it only denies.</summary>
    public static void Report(ImportDiagnostics diagnostics, ConfigStatement statement, string subject)
    {
        bool denies = statement.Block is null ? statement.Value is { } value && Denials.Contains(value)
            : statement.Block is [] or [{ Key: "none" }];
        bool isDenial = denies && !Options.HasDefault(statement.Key)
            && statement.Key is not ("recursion" or "minimal-any" or "dns64");
        if (isDenial || statement is { Key: "forward", Value: "only" }) return;
        if (statement is { Key: "check-names", Words: [_, "response", "fail", ..] })
            diagnostics.Change(statement, subject, "check-names response: names of answers are not checked");
        else Options.Report(diagnostics, statement, subject);
    }

    /// <summary>A value, where all ways to write a flag are one.</summary>
    public static string? FlagOf(ConfigStatement statement) => statement.Value switch
    {
        "true" or "1" => "yes",
        "false" or "0" => "no",
        var other => other,
    };
}
