using static Dns.Import.Shared.ImportLimit;
using static Dns.Import.Shared.ImportSeverity;

namespace Dns.Import.Knot;

/// <summary>What of knot.conf is not translated, and what that means.</summary>
internal static class KnotStatements
{
    /// <summary>Sections. Modules are reported where they are used.</summary>
    public static ImportTable Sections { get; } = new(
        (Cosmetic, None, "", "key remotes acl"),
        (Cosmetic, None, "its use is reported where it is used",
            "dnskey-sync keystore external parent"),
        (Cosmetic, None, "", "policy submission"),
        (Cosmetic, None, "metrics, status page and log are the server's own", "log statistics"),
        (Cosmetic, None, "dnsd status and other commands query the running server", "control"),
        (Changes, OfServer, "there is no AF_XDP", "xdp"),
        (Cosmetic, None, "journals and copies are kept in Dns:StateDirectory", "database"),
        (Cosmetic, None, "", "module template"));

    public static ImportTable Server { get; } = new(
        (Blocks, OfServer, "TLS and QUIC are not served", "listen-tls listen-quic"),
        (Changes, OfImporter, "PROXY headers: Dns:Proxy:From lists the proxies", "proxy-allowlist proxy_allowlist"),
        (Changes, OfServer, "answers are the same for every client subnet", "edns-client-subnet"),
        (Cosmetic, OfServer, "transfers have limits of their own (Dns:Transfer)",
            "remote-pool-limit remote-pool-timeout remote-retry-delay tcp-remote-io-timeout"),
        (Cosmetic, OfServer, "the server limits itself otherwise",
            """
            tcp-workers background-workers tcp-io-timeout tcp-reuseport tcp-fastopen socket-affinity async-start
            quic-max-clients quic-outbuf-max-size quic-idle-close-timeout tls-io-timeout
            """),
        (Cosmetic, None, "metrics, status page and log are the server's own", "dbus-event dbus-init-delay"),
        (Cosmetic, None, "", "automatic-acl user rundir pidfile key-file cert-file max-conn-idle-time"));

    public static ImportTable Remote { get; } = new(
        (Changes, OfServer, "transfers and NOTIFY are sent from addresses that the system chooses", "via"),
        (Changes, OfServer, "queries to it have EDNS", "no-edns"),
        (Changes, OfServer, "transfers and NOTIFY have no TLS", "quic tls"),
        (Cosmetic, OfServer, "transfers have limits of their own (Dns:Transfer)", "block-notify-after-transfer"),
        (Cosmetic, None, "",
            "id comment address key automatic-acl cert-key cert-hostname cert-validity"));

    public static ImportTable Zone { get; } = new(
        (Blocks, OfServer, "zones come from files and other servers only",
            "reverse-generate include-from external-validation"),
        (Changes, OfImporter, "Zonemd of a policy makes digests of signed zones", "zonemd-generate"),
        (Changes, OfImporter, "Dns:MinimalAny answers ANY with one RRset", "disable-any"),
        (Changes, OfServer, "secondaries refuse updates: clients send them to the primary", "ddns-master"),
        (Changes, OfServer, "records without a TTL, in files without $TTL, have the MINIMUM of the SOA record",
            "default-ttl"),
        (Changes, OfServer, "this limit is not supported on a zone", "zone-max-size zone-max-ttl max-zone-size"),
        (Cosmetic, OfServer, "journals, transfers and updates have limits and times of their own",
            """
            zonefile-sync zonefile-load zonefile-skip journal-content journal-max-usage journal-max-depth
            ixfr-benevolent ixfr-by-one ixfr-from-axfr adjust-threads zone-max-transfer update-owner
            master-pin-tolerance
            """),
        (Changes, OfServer, "secondaries get the changes that they request (IXFR)", "provide-ixfr=on"),
        (Changes, OfServer, "requests to primaries have no such option", "request-edns-option"),
        (Changes, OfImporter, "signed versions follow the serial of the file, or Serial of their policy in "
            + "Dns:DnssecPolicies, that of other changes is raised by one: it has to stay above the one served so far",
            "serial-policy serial-modulo"),
        (Changes, OfServer, "zones that are signed elsewhere are not validated, and digests of zones not verified",
            "dnssec-validation zonemd-verify"),
        (Blocks, OfServer, "the parent is not updated: publish CDS records, or update it by hand", "ds-push"),
        (Cosmetic, None, "", "dnssec-signing dnssec-policy"),
        (Cosmetic, None, "", "notify acl catalog-role catalog-template catalog-zone catalog-group"),
        (Cosmetic, None, "", "domain id template storage file master semantic-checks global-module module backend"));

    /// <summary>Times of zones, which say nothing of a primary.</summary>
    public static ImportTable Times { get; } = new(
        (Cosmetic, None, "", "refresh-min-interval"),
        (Changes, OfServer, ImportedTimers.OfSoa,
            "refresh-max-interval=28d retry-min-interval=1 retry-max-interval=14d"),
        (Changes, OfServer, ImportedTimers.ExpiryOfSoa, "expire-min-interval=3 expire-max-interval"));

    /// <summary>Modules: their name, and what is missing without them.</summary>
    public static ImportTable Modules { get; } = new(
        (Blocks, OfServer, "zones are not signed: without its signatures validating resolvers reject a zone",
            "mod-onlinesign"),
        (Blocks, OfServer, "answers come from zone files only", "mod-geoip mod-synthrecord mod-whoami mod-authsignal"),
        (Blocks, OfImporter, "Dns:Forward forwards zones that are not served", "mod-dnsproxy"),
        (Changes, OfServer, "there is no such module", "mod-noudp mod-probe mod-rosedb"),
        (Cosmetic, None, "metrics are the server's own", "mod-stats"));
}
