using static Dns.Import.Shared.ImportLimit;
using static Dns.Import.Shared.ImportSeverity;

namespace Dns.Import.Nsd;

/// <summary>What of nsd.conf is not translated, and what that means.</summary>
internal static class NsdStatements
{
    /// <summary>What Unbound has too.</summary>
    public const string AbsentAddress = "a start fails while the machine lacks an address of Dns:Listen";

    private const string LimitOfTransfers = "Dns:Transfer:MaxOctets limits transfers";

    public static ImportTable Sections { get; } = new(
        (Cosmetic, None, "", "key"),
        (Cosmetic, None, "dnsd status and other commands query the running server", "remote-control"),
        (Cosmetic, OfServer, "its use is reported where it is used", "tls-auth"),
        (Changes, OfServer, "zones are checked by the server itself", "verify"),
        (Changes, OfServer, "there is no AF_XDP", "xdp"));

    public static ImportTable Server { get; } = new(
        (Blocks, OfServer, "TLS is not served",
            "tls-service-key tls-service-pem tls-service-ocsp tls-port tls-auth-port tls-auth-xfr-only"),
        (Changes, OfImporter, "PROXY headers: Dns:Proxy:From lists the proxies", "proxy-protocol-port"),
        (Changes, OfServer, "there is no AF_XDP",
            "xdp-interface xdp-program-path xdp-program-load xdp-bpffs-path xdp-force-copy"),
        (Changes, OfServer, "answers from several zones are put together", "confine-to-zone=no"),
        (Changes, OfServer, "addresses are not bound to an interface", "bindtodevice=no setfib"),
        (Changes, OfServer, AbsentAddress, "ip-transparent=no ip-freebind=no"),
        (Changes, OfServer, "updates are answered, with REFUSED where they are not allowed", "drop-updates=no"),
        (Changes, OfImporter, "zones that nsd-control has added are not read from it", "zonelistfile"),
        (Changes, OfImporter, "Dns:Cookies:Secrets takes the secrets", "cookie-secret-file"),
        (Changes, OfServer, "the limit of a client that is exempt, or of a zone, is none", "rrl-whitelist-ratelimit"),
        (Changes, OfImporter, LimitOfTransfers, "size-limit-xfr=0"),
        (Cosmetic, OfServer, "transfers have limits of their own (Dns:Transfer), copies are kept in Dns:StateDirectory",
            "xfrdfile xfrdir xfrd-reload-timeout xfrd-tcp-max xfrd-tcp-pipeline zonefiles-write tls-cert-bundle"),
        (Cosmetic, OfServer, "the server limits itself otherwise",
            "tcp-query-count tcp-mss outgoing-tcp-mss tcp-reject-overflow reuseport send-buffer-size"),
        (Cosmetic, None, "metrics, status page and log are the server's own",
            "verbosity logfile log-only-syslog log-time-ascii log-time-iso statistics zonestats debug-mode"),
        (Cosmetic, None, "dnsd service install sets what the service may do",
            "chroot cpu-affinity server-1-cpu-affinity"),
        (Cosmetic, None, "zone files are read when they change", "zonefiles-check reload-config"),
        (Cosmetic, None, "",
            """
            zonesdir port username pidfile hide-version hide-identity database minimal-responses do-ip4 do-ip6
            ip4-only ip6-only difffile
            rrl-ratelimit rrl-size rrl-slip rrl-ipv4-prefix-length rrl-ipv6-prefix-length ip-address interface
            """));

    public static ImportTable Zone { get; } = new(
        (Changes, OfServer, "limits are for all zones", "rrl-whitelist"),
        (Changes, OfServer, "zones are checked by the server itself",
            "verify-zone verifier verifier-feed-zone verifier-timeout"),
        (Changes, OfServer, "transfers and NOTIFY are sent from addresses that the system chooses",
            "outgoing-interface"),
        (Cosmetic, OfServer, "transfers and NOTIFY have limits and times of their own",
            "notify-retry store-ixfr ixfr-number ixfr-size create-ixfr"),
        (Cosmetic, None, "metrics are by zone anyway", "zonestats"),
        (Cosmetic, None, "",
            "provide-xfr request-xfr notify allow-notify catalog catalog-member-pattern catalog-producer-zone"),
        (Cosmetic, None, "", "min-refresh-time name zonefile include-pattern allow-query rrl-whitelist-ratelimit"));

    /// <summary>What says nothing of a primary.</summary>
    public static ImportTable Secondary { get; } = new(
        (Changes, OfServer, "the whole zone is transferred where its changes are not to be had",
            "allow-axfr-fallback=yes"),
        (Changes, OfServer, "primaries are tried in turn, until one has a newer version",
            "multi-primary-check=no multi-master-check=no"),
        (Changes, OfImporter, LimitOfTransfers, "size-limit-xfr=0"),
        (Changes, OfServer, ImportedTimers.OfSoa,
            "max-refresh-time=2419200 max-retry-time=1209600 min-retry-time=0"),
        (Changes, OfServer, ImportedTimers.ExpiryOfSoa, "min-expire-time=0"));
}
