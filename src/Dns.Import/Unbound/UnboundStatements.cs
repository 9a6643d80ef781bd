using static Dns.Import.Shared.ImportLimit;
using static Dns.Import.Shared.ImportSeverity;

namespace Dns.Import.Unbound;

/// <summary>What of unbound.conf is not translated, and what that means.</summary>
internal static class UnboundStatements
{
    public static ImportTable Sections { get; } = new(
        (Cosmetic, None, "dnsd status and other commands query the running server", "remote-control"),
        (Blocks, OfServer, "a name has one answer for all clients", "view"),
        (Blocks, OfServer, "answers are not rewritten by policy zones", "rpz"),
        (Blocks, OfServer, "there are no plug-ins", "python dynlib ipset"),
        (Blocks, OfServer, "DNSCrypt is not served", "dnscrypt"),
        (Changes, OfServer, "the cache is the server's own; Dns:Cache:File keeps it while the server is stopped",
            "cachedb"));

    /// <summary>Auth zones that are served.</summary>
    public static ImportTable AuthZone { get; } = new(
        (Changes, OfServer, "a zone that has expired is answered with SERVFAIL", "fallback-enabled=no"),
        (Changes, OfServer, "digests of zones are not verified", "zonemd-check=no zonemd-reject-absence=no"),
        (Cosmetic, None, "", "name zonefile primary master url allow-notify for-downstream for-upstream"));

    /// <summary>Settings of the server that have an effect which this server has not.</summary>
    public static ImportTable Server { get; } = new(
        (Blocks, OfServer, "TLS, HTTPS and QUIC are not served",
            "tls-service-key ssl-service-key http-notls-downstream"),
        (Changes, OfServer, "answers are not validated",
            "auto-trust-anchor-file trust-anchor-file trust-anchor trusted-keys-file trust-anchor-signaling " +
                "domain-insecure module-config"),
        (Blocks, OfServer, "addresses are not synthesized",
            "dns64-prefix dns64-synthall dns64-ignore-aaaa nat64-prefix do-nat64"),
        (Blocks, OfServer, "a name has one answer for all clients",
            """
            access-control-view access-control-tag access-control-tag-action access-control-tag-data define-tag interface-view
            interface-tag
            interface-tag-action interface-tag-data local-zone-tag local-zone-override response-ip response-ip-data response-ip-tag
            """),
        (Changes, OfServer,
            "clients are not limited by their queries; Dns:RateLimit limits answers, " +
                "Dns:Recursion:MaxInFlightPerClient waiting ones",
            "ip-ratelimit ip-ratelimit-cookie ip-ratelimit-factor ip-ratelimit-backoff wait-limit wait-limit-cookie " +
                "wait-limit-netblock"),
        (Changes, OfServer,
            "the names that may have private addresses are not listed: turn Dns:Recursion:DropPrivateAddresses off " +
                "if they are needed",
            "private-domain"),
        (Changes, OfServer, "each address answers over UDP and TCP", "do-udp=yes do-tcp=yes"),
        (Blocks, OfImporter, "add these ports of all addresses to Dns:Listen", "interface-automatic-ports"),
        (Changes, OfServer, NsdStatements.AbsentAddress, "ip-transparent ip-freebind"),
        (Changes, OfServer, "connections are limited for all clients (Dns:Tcp)", "tcp-connection-limit"),
        (Changes, OfServer, "the cache has no such limit", "cache-min-negative-ttl"),
        (Changes, OfServer, "the TTL of a cached answer is the time that is left", "serve-original-ttl"),
        (Changes, OfServer, "stale answers have a TTL of 30 seconds", "serve-expired-reply-ttl=30"),
        (Changes, OfServer, "an answer is stale from the end of its TTL on, whether upstreams answer or not",
            "serve-expired-ttl-reset"),
        (Changes, OfServer, "upstreams are queried from addresses and ports that the system chooses, over UDP first",
            """
            outgoing-interface outgoing-port-permit outgoing-port-avoid tcp-upstream udp-upstream-without-downstream prefer-ip4
            prefer-ip6
            disable-edns-do
            """),
        (Changes, OfServer, "subnets of clients are not sent",
            """
            send-client-subnet client-subnet-zone client-subnet-always-forward max-client-subnet-ipv4 max-client-subnet-ipv6
            min-client-subnet-ipv4 min-client-subnet-ipv6 max-ecs-tree-size-ipv4 max-ecs-tree-size-ipv6
            """),
        (Changes, OfImporter, "Dns:Cookies:Secrets takes the secrets", "cookie-secret-file"),
        (Changes, OfImporter, "Dns:QueryLog:File takes a file",
            "log-queries log-replies log-tag-queryreply log-servfail log-local-actions"),
        (Changes, OfServer, "this limit is not supported",
            "ratelimit ratelimit-factor ratelimit-backoff ratelimit-for-domain ratelimit-below-domain"),
        (Cosmetic, None, "metrics, status page and log are the server's own",
            """
            verbosity logfile use-syslog log-identity log-time-ascii log-time-iso val-log-level log-destaddr log-thread-id
            extended-statistics
            statistics-interval statistics-cumulative statistics-inhibit-zero shm-enable shm-key
            """),
        (Cosmetic, OfServer, "names are not resolved from the root, to which it would apply",
            """
            root-hints harden-glue harden-unverified-glue harden-referral-path harden-algo-downgrade harden-dnssec-stripped
            harden-large-queries
            harden-short-bufsize qname-minimisation qname-minimisation-strict target-fetch-policy do-not-query-address
            do-not-query-localhost infra-host-ttl infra-cache-slabs infra-cache-numhosts infra-cache-min-rtt infra-cache-max-rtt
            infra-keep-probing infra-lame-ttl val-permissive-mode val-clean-additional val-bogus-ttl val-sig-skew-min val-sig-skew-max
            val-max-restart val-override-date val-nsec3-keysize-iterations zonemd-permissive-mode ignore-cd-flag aggressive-nsec
            caps-exempt caps-whitelist max-query-restarts max-sent-count max-global-quota iter-scrub-ns iter-scrub-cname
            iter-scrub-promiscuous key-cache-size key-cache-slabs neg-cache-size root-key-sentinel fast-server-num fast-server-permil
            low-rtt low-rtt-permil add-holddown del-holddown keep-missing permit-small-holddown prefetch-key
            """),
        (Cosmetic, OfServer, "the server limits itself otherwise",
            """
            outgoing-range outgoing-num-tcp so-sndbuf so-reuseport ip-dscp msg-buffer-size msg-cache-slabs
            rrset-cache-slabs jostle-timeout delay-close unwanted-reply-threshold max-reuse-tcp-queries tcp-reuse-timeout
            tcp-auth-query-timeout
            edns-tcp-keepalive edns-tcp-keepalive-timeout stream-wait-size tcp-mss outgoing-tcp-mss discard-timeout
            ratelimit-size ratelimit-slabs ip-ratelimit-size ip-ratelimit-slabs edns-buffer-size
            udp-connect sock-queue-timeout answer-cookie-size http-max-streams
            http-query-buffer-size http-response-buffer-size http-nodelay http-endpoint tls-ciphers tls-ciphersuites
            tls-session-ticket-keys
            tls-cert-bundle tls-additional-port tls-use-sni tls-win-cert tls-system-cert pad-responses pad-responses-block-size
            pad-queries
            pad-queries-block-size ede ede-serve-expired dns-error-reporting
            """),
        (Cosmetic, None, "",
            """
            interface ip-address interface-automatic port do-ip4 do-ip6 directory username chroot pidfile
            tls-port ssl-port tls-service-pem ssl-service-pem https-port quic-port quic-size proxy-protocol-port access-control
            interface-action local-zone
            local-data local-data-ptr use-caps-for-id use-systemd do-daemonize hide-identity hide-version hide-trustanchor
            hide-http-user-agent
            minimal-responses tls-upstream ssl-upstream serve-expired serve-expired-ttl
            insecure-lan-zones http-user-agent msg-cache-size rrset-cache-size num-queries-per-thread
            """));
}
