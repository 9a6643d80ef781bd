namespace Dns.Configuration.Tests;

/// <summary>
/// Mistakes of operators, those who come from other servers among them, and the whole message that each gets.
/// </summary>
public sealed class WrongSettingsTests : IDisposable
{
    /// <summary>A settings file, and below it the one line that it gets. Some long sentences have names.</summary>
    private const string Table = """
        { "Dns": { "Primaries": ["192.0.2.1"] } }
            => dnsd.json:1:12: error: unknown setting Dns:Primaries: the primaries of a zone are in its entry of Dns:Zones or in its template, such as { "Name": "example.com", "Type": "secondary", "Primaries": ["192.0.2.1"] }
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "Primaries": ["192.0.2.1"] } ] } }
            => dnsd.json:1:51: error: Dns:Zones:0:Primaries: Primaries is for a secondary: expected "Type": "secondary" beside it
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "Masters": ["192.0.2.1"] } ] } }
            => dnsd.json:1:51: error: unknown setting Dns:Zones:0:Masters: the primaries of a zone are in its entry of Dns:Zones or in its template, such as { "Name": "example.com", "Type": "secondary", "Primaries": ["192.0.2.1"] }
        { "Dns": { "Zones": [ { "Name": "a", "Type": "slave", "Primaries": ["192.0.2.1"] } ] } }
            => dnsd.json:1:38: error: Dns:Zones:0:Type is "slave": expected one of primary, secondary; "slave" is secondary here
        { "Dns": { "Zones": [ { "Name": "a", "Type": "stub", "Primaries": ["192.0.2.1"] } ] } }
            => dnsd.json:1:38: error: Dns:Zones:0:Type is "stub": expected one of primary, secondary; forwarded zones are in Dns:Forward
        { "Dns": { "Zones": [ { "Name": "a", "Type": "secondary", "File": "a", "Primaries": ["192.0.2.1"] } ] } }
            => dnsd.json:1:59: error: Dns:Zones:0:File: a secondary has no file: its copy is kept in Dns:StateDirectory
        { "Dns": { "StateDirectory": "dnsd.json", "Zones": [ { "Name": "a", "File": "a" } ] } }
            => dnsd.json:1:12: error: Dns:StateDirectory is "dnsd.json", a file: expected the path of a directory
        { "Dns": { "Zones": [ { "Name": "a", "Type": "secondary" } ] } }
            => dnsd.json:1:23: error: Dns:Zones:0: a secondary needs the servers that it comes from, such as "Primaries": ["192.0.2.1"]
        { "Dns": { "Zones": [ { "Name": "a", "Type": "secondary", "Primaries": [] } ] } }
            => dnsd.json:1:59: error: Dns:Zones:0: a secondary needs the servers that it comes from, such as "Primaries": ["192.0.2.1"]
        { "Dns": { "Zones": [ { "Name": "a", "Type": "secondary", "Primaries": ["ns1.example"] } ] } }
            => dnsd.json:1:73: error: Dns:Zones:0:Primaries:0 is "ns1.example": {SERVER}; a server is given by its address, since names are looked up there
        { "Dns": { "AllowUpdate": ["key:k1. 10.0.0.0/255.0.0.0"] } }
            => dnsd.json:1:28: error: Dns:AllowUpdate:0 is "key:k1. 10.0.0.0/255.0.0.0": expected {PEER}, without bits behind the length; 10.0.0.0/8 has the length of this mask
        { "Dns": { "Notify": ["192.0.2.0/24"] } }
            => dnsd.json:1:23: error: Dns:Notify:0 is "192.0.2.0/24": {SERVER}; a message is sent to a server, not to a network
        { "Dns": { "Notify": ["192.0.2.1", "192.0.2.1:53"] } }
            => dnsd.json:1:36: error: Dns:Notify:1 is "192.0.2.1:53", which is already in the list
        { "Dns": { "Notify": ["fe80::1"] } }
            => dnsd.json:1:23: error: Dns:Notify:0 is "fe80::1": expected the interface behind a link-local address, such as fe80::1%eth0
        { "Dns": { "Listen": ["127.0.0.1:5300"], "Zones": [ { "Name": "a", "Type": "secondary", "Primaries": ["127.0.0.1:5300"] } ] } }
            => dnsd.json:1:89: error: Dns:Zones:0: 127.0.0.1:5300 of Primaries is where this server itself listens (127.0.0.1:5300)
        { "Dns": { "Zones": [ { "Name": "a", "Type": "secondary", "Primaries": ["192.0.2.1"], "AllowUpdate": ["any"] } ] } }
            => dnsd.json:1:87: error: Dns:Zones:0:AllowUpdate: a secondary is changed on its primary
        { "Dns": { "Zones": [ { "Name": "a", "Primaries": ["192.0.2.1"] } ] } }
            => dnsd.json:1:38: error: Dns:Zones:0: expected "Type": "secondary" beside Primaries
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "MinRefresh": "8d" } ] } }
            => dnsd.json:1:51: error: Dns:Zones:0:MinRefresh is "8d": expected a time up to 1w: seconds, or a number with s, m, h, d or w such as "3h"
        { "Dns": { "Zones": [ { "Directory": "d", "Primaries": ["192.0.2.1"] } ] } }
            => dnsd.json:1:43: error: Dns:Zones:0:Primaries: zones of a directory do not have Primaries: expected either Name, or Directory and perhaps Pattern
        { "Dns": { "Zones": [ { "Directory": "d", "Type": "secondary" } ] } }
            => dnsd.json:1:23: error: Dns:Zones:0: zones of a directory are read from their files: expected Type primary
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "Template": "outs" } ], "Templates": { "ours": { } } } }
            => dnsd.json:1:51: error: Dns:Zones:0:Template: there is no template "outs" in Dns:Templates: did you mean "ours"?
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "Template": "x" } ] } }
            => dnsd.json:1:51: error: Dns:Zones:0:Template: there is no template "x" in Dns:Templates: there are none
        { "Dns": { "Templates": [ { "Name": "ours" } ] } }
            => dnsd.json:1:12: error: Dns:Templates is a list: expected an object with a template under each name, such as { "NAME": { "AllowTransfer": ["key:k1."] } }
        { "Dns": { "Templates": { "ours": { "File": "a" } } } }
            => dnsd.json:1:37: error: Dns:Templates:ours:File: a template does not have File: expected it in an entry of Dns:Zones
        { "Dns": { "Templates": { "ours": { "Notfy": [] } } } }
            => dnsd.json:1:37: error: unknown setting Dns:Templates:ours:Notfy: did you mean "Notify"?
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "MemberOf": "catalog.example" } ] } }
            => dnsd.json:1:51: error: Dns:Zones:0:MemberOf: there is no catalog catalog.example.: expected a zone of Dns:Zones with "Catalog": "producer"
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "MemberOf": "c1.example" }, { "Name": "c2.example", "Catalog": "producer" } ] } }
            => dnsd.json:1:51: error: Dns:Zones:0:MemberOf: there is no catalog c1.example.: did you mean "c2.example."?
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "Group": "g" } ] } }
            => dnsd.json:1:51: error: Dns:Zones:0:Group: expected MemberOf beside it: a group is one of a catalog
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "Catalog": "consumer" } ] } }
            => dnsd.json:1:23: error: Dns:Zones:0:MemberTemplate: a catalog from a file needs a template with Primaries, which its members come from
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "Catalog": "producer" } ] } }
            => dnsd.json:1:38: error: Dns:Zones:0:File: a catalog that is made here has no file: it lists the zones with MemberOf
        { "Dns": { "Zones": [ { "Name": "a", "Catalog": "both" } ] } }
            => dnsd.json:1:38: error: Dns:Zones:0:Catalog is "both": expected one of producer, consumer
        { "Dns": { "Transfer": { "MaxOctets": "10%" } } }
            => dnsd.json:1:26: error: Dns:Transfer:MaxOctets is "10%": expected octets of a transfer from 64K to 16384G, such as "256M"
        { "Dns": { "AllowUpdate": [ { "Form": "key:k1." } ] } }
            => dnsd.json:1:31: error: unknown setting Dns:AllowUpdate:0:Form: did you mean "From"?
        { "Dns": { "AllowUpdate": [ { "Names": ["a"] } ] } }
            => dnsd.json:1:29: error: Dns:AllowUpdate:0 has no From: expected {PEER}
        { "Dns": { "AllowUpdate": [ { "From": "any", "Types": ["ANY"] } ] } }
            => dnsd.json:1:56: error: Dns:AllowUpdate:0:Types:0 is "ANY": expected a type of records, such as "A" or "TYPE65280"
        { "Dns": { "AllowUpdate": [ { "From": "any", "Types": [] } ] } }
            => dnsd.json:1:46: error: Dns:AllowUpdate:0:Types is empty: expected a type of records, such as "A" or "TYPE65280", or no Types for all
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "AllowUpdate": [ { "From": "any", "Names": ["b"] } ] } ] } }
            => dnsd.json:1:95: error: Dns:Zones:0:AllowUpdate:0:Names:0 is "b": expected a name in the zone a.
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "AllowTransfer": "any" } ] } }
            => dnsd.json:1:51: error: Dns:Zones:0:AllowTransfer is "any": expected a list such as ["192.0.2.0/24", "key:k1.", "2001:db8::/32 key:k2."]
        { "Dns": { "Zones": [ { "Name": "a", "File": "a", "allow-update": ["any"] } ] } }
            => dnsd.json:1:51: error: unknown setting Dns:Zones:0:allow-update: did you mean "AllowUpdate"?
        { "Dns": { "AllowTransfer": ["10.0.0.5/8"] } }
            => dnsd.json:1:30: error: Dns:AllowTransfer:0 is "10.0.0.5/8": expected an address or network, key: and the name of a key in Dns:TsigKeys, or both, such as "192.0.2.0/24 key:k1.", without bits behind the length; 10.0.0.0/8 is the network, 10.0.0.5 the address alone
        { "Dns": { "also-notify": ["192.0.2.1"] } }
            => dnsd.json:1:12: error: unknown setting Dns:also-notify: clients that may transfer a zone are in AllowTransfer, servers that get its NOTIFY in Notify
        { "Dns": { "Dnssec": true } }
            => dnsd.json:1:12: error: unknown setting Dns:Dnssec: zones are signed by Dnssec in an entry of Dns:Zones or in its template, such as { "Name": "example.com", "Dnssec": "default" }, with the policies of Dns:DnssecPolicies
        { "Dns": { "dnssec_validation": "auto" } }
            => dnsd.json:1:12: error: unknown setting Dns:dnssec_validation: this version does not validate forwarded answers: forward to a validating resolver in Dns:Forward
        { "Dns": { "Views": [] } }
            => dnsd.json:1:12: error: unknown setting Dns:Views: this version has no views: AllowQuery in an entry of Dns:Zones limits the clients of a zone
        { "Dns": { "Tls": { } } }
            => dnsd.json:1:12: error: unknown setting Dns:Tls: this version serves UDP and TCP without encryption: a proxy in front can add it (Dns:Proxy:From)
        { "Dns": { "Keys": [] } }
            => dnsd.json:1:12: error: unknown setting Dns:Keys: TSIG keys are listed in Dns:TsigKeys
        { "Dns": { "Upstreams": ["192.0.2.1"] } }
            => dnsd.json:1:12: error: unknown setting Dns:Upstreams: forwarding is set in Dns:Forward, such as [{ "Zone": ".", "Upstreams": ["192.0.2.53"] }]
        { "Dns": { "allow-recursion": ["any"] } }
            => dnsd.json:1:12: error: unknown setting Dns:allow-recursion: clients of the forwarder are listed in Dns:Recursion:AllowFrom
        { "Dns": { "AllowQuery": ["any"] } }
            => dnsd.json:1:12: error: unknown setting Dns:AllowQuery: clients of a zone are listed by AllowQuery in its entry of Dns:Zones
        { "Dns": { "Acl": {} } }
            => dnsd.json:1:12: error: unknown setting Dns:Acl: lists of networks have no names: write the networks in AllowQuery and Dns:Recursion:AllowFrom
        { "Dns": { "Port": 53 } }
            => dnsd.json:1:12: error: unknown setting Dns:Port: addresses and ports are listed in Dns:Listen
        { "Dns": { "listen-on": ["any"] } }
            => dnsd.json:1:12: error: unknown setting Dns:listen-on: addresses and ports are listed in Dns:Listen
        { "Dns": { "Rrl": {} } }
            => dnsd.json:1:12: error: unknown setting Dns:Rrl: rate limiting is set in Dns:RateLimit
        { "Dns": { "Metrics": true } }
            => dnsd.json:1:12: error: unknown setting Dns:Metrics: metrics are served at /metrics of Dns:Admin:Listen
        { "Dns": { "User": "bind" } }
            => dnsd.json:1:12: error: unknown setting Dns:User: the user of the process is that of its service (dnsd service install --user NAME)
        { "Dns": { "Threads": 4 } }
            => dnsd.json:1:12: error: unknown setting Dns:Threads: Dns:Workers is the number of threads
        { "Dns": { "max-cache-size": "1G" } }
            => dnsd.json:1:12: error: unknown setting Dns:max-cache-size: Dns:Cache:MaxBytes is the memory of the cache
        { "Dns": { "edns-udp-size": 1232 } }
            => dnsd.json:1:12: error: unknown setting Dns:edns-udp-size: Dns:MaxUdpPayload is the longest UDP response
        { "Dns": { "Nsid": "ns1" } }
            => dnsd.json:1:12: error: unknown setting Dns:Nsid: Dns:Identity is the answer to NSID and id.server
        { "Dns": { "Blocklist": "hosts" } }
            => dnsd.json:1:12: error: unknown setting Dns:Blocklist: this version has no block lists: serve a zone for the name instead
        { "Dns": { "Hosts": "/etc/hosts" } }
            => dnsd.json:1:12: error: unknown setting Dns:Hosts: this version reads no hosts file and no single records: serve a zone for the name instead
        { "Dns": { "Directory": "zones" } }
            => dnsd.json:1:12: error: unknown setting Dns:Directory: the zones of a directory are an entry of Dns:Zones, such as { "Directory": "zones" }
        { "Dns": { "Stub": [] } }
            => dnsd.json:1:12: error: unknown setting Dns:Stub: forwarding is set in Dns:Forward, such as [{ "Zone": ".", "Upstreams": ["192.0.2.53"] }]
        { "Dns": { "Serilog": {} } }
            => dnsd.json:1:12: error: unknown setting Dns:Serilog: the log is set in the section Serilog, beside Dns
        { "Dns": { "Control": true } }
            => dnsd.json:1:12: error: Dns:Control is true: expected an object { ... } with any of Socket
        { "Dns": { "RootHints": "named.root" } }
            => dnsd.json:1:12: error: unknown setting Dns:RootHints: this version queries no root servers: all other names can be forwarded, with the Zone "." in Dns:Forward
        { "Dns": { "Include": "more.json" } }
            => dnsd.json:1:12: error: unknown setting Dns:Include: settings are one file: --config FILE
        { "Logging": { } }
            => dnsd.json:1:3: error: unknown setting Logging: the log is set in the section Serilog, beside Dns
        { "Serlog": { } }
            => dnsd.json:1:3: error: unknown setting Serlog: did you mean "Serilog"?
        { "Dns": { "Listen": [ "tls://127.0.0.1:853" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "tls://127.0.0.1:853": {LISTEN}; this version listens over UDP and TCP without encryption
        { "Dns": { "Listen": [ "udp://127.0.0.1:53" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "udp://127.0.0.1:53": {LISTEN}; each address is served over UDP and TCP: leave out udp://
        { "Dns": { "Listen": [ "127.1:53" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "127.1:53": {LISTEN}
        { "Dns": { "Listen": [ "fe80::1" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "fe80::1": expected the interface behind a link-local address, such as fe80::1%eth0
        { "Dns": { "Listen": [ "*:53", "0.0.0.0:53" ] } }
            => dnsd.json:1:32: error: Dns:Listen:1 is "0.0.0.0:53", which is already in the list
        { "Dns": { "Listen": [ "*:24100", "127.0.0.1:24100" ] } }
            => dnsd.json:1:35: error: Dns:Listen:1 is "127.0.0.1:24100", {BESIDE} 0.0.0.0:24100 {WILDCARD}
        { "Dns": { "Listen": [ "127.0.0.1:24100", "*:24100" ] } }
            => dnsd.json:1:43: error: Dns:Listen:1 is "*:24100", {BESIDE} 127.0.0.1:24100 {WILDCARD}
        { "Dns": { "Listen": [ "[::1]:24100", "[::]:24100" ] } }
            => dnsd.json:1:39: error: Dns:Listen:1 is "[::]:24100", {BESIDE} [::1]:24100 {WILDCARD}
        { "Dns": { "Listen": [ "[::ffff:127.0.0.1]:24100" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "[::ffff:127.0.0.1]:24100": expected the IPv4 address itself, 127.0.0.1:24100
        { "Dns": { "Listen": [ "224.0.0.0" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "224.0.0.0": {GROUP}
        { "Dns": { "Listen": [ "239.255.255.255" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "239.255.255.255": {GROUP}
        { "Dns": { "Listen": [ "255.255.255.255" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "255.255.255.255": {GROUP}
        { "Dns": { "Listen": [ "ff02::1%1" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "ff02::1%1": {GROUP}
        { "Dns": { "Admin": { "Listen": "[::ffff:127.0.0.1]:8053" } } }
            => dnsd.json:1:23: error: Dns:Admin:Listen is "[::ffff:127.0.0.1]:8053": expected the IPv4 address itself, 127.0.0.1:8053
        { "Dns": { "Listen": [ "*:65536" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "*:65536": {LISTEN}
        { "Dns": { "Listen": [ "" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "": {LISTEN}
        { "Dns": { "Listen": [ "127.0.0.1:53/udp" ] } }
            => dnsd.json:1:24: error: Dns:Listen:0 is "127.0.0.1:53/udp": {LISTEN}
        { "Dns": { "Listen": { "0": "127.0.0.1" } } }
            => dnsd.json:1:12: error: Dns:Listen is an object: expected a list of addresses such as ["127.0.0.1:5335", "[::1]:5335"]
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": [ "tls://192.0.2.1" ] } ] } }
            => dnsd.json:1:55: error: Dns:Forward:0:Upstreams:0 is "tls://192.0.2.1": {UPSTREAM}; tls is no scheme of this version, expected one of: plain
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": [ "https://dns.example/dns-query" ] } ] } }
            => dnsd.json:1:55: error: Dns:Forward:0:Upstreams:0 is "https://dns.example/dns-query": {UPSTREAM}; https is no scheme of this version, expected one of: plain
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": [ "192.0.2.1@853#dns.example" ] } ] } }
            => dnsd.json:1:55: error: Dns:Forward:0:Upstreams:0 is "192.0.2.1@853#dns.example": {UPSTREAM}; this version queries upstreams over UDP and TCP without encryption
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": [ "192.0.2.1#53000000" ] } ] } }
            => dnsd.json:1:55: error: Dns:Forward:0:Upstreams:0 is "192.0.2.1#53000000": {UPSTREAM}
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": [ "dns.example:53" ] } ] } }
            => dnsd.json:1:55: error: Dns:Forward:0:Upstreams:0 is "dns.example:53": {UPSTREAM}; an upstream is given by its address, since names are looked up there
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": [ "fe80::1" ] } ] } }
            => dnsd.json:1:55: error: Dns:Forward:0:Upstreams:0 is "fe80::1": expected the interface behind a link-local address, such as fe80::1%eth0
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": "192.0.2.1" } ] } }
            => dnsd.json:1:40: error: Dns:Forward:0:Upstreams is "192.0.2.1": expected a list of addresses such as ["192.0.2.53", "[2001:db8::53]:5353"]
        { "Dns": { "Forward": [ { "Zone": ".", "Upstreams": [ "192.0.2.1" ], "Policy": "random" } ] } }
            => dnsd.json:1:70: error: Dns:Forward:0:Policy is "random": expected one of fastest, ordered, round-robin
        { "Dns": { "Recursion": { "AllowFrom": [ "10.0.0.5/8" ] } } }
            => dnsd.json:1:42: error: Dns:Recursion:AllowFrom:0 is "10.0.0.5/8": {NETWORK}; 10.0.0.0/8 is the network, 10.0.0.5 the address alone
        { "Dns": { "Recursion": { "AllowFrom": [ "2001:db8::5/32" ] } } }
            => dnsd.json:1:42: error: Dns:Recursion:AllowFrom:0 is "2001:db8::5/32": {NETWORK}; 2001:db8::/32 is the network, 2001:db8::5 the address alone
        { "Dns": { "Recursion": { "AllowFrom": [ "10.0.0.0/33" ] } } }
            => dnsd.json:1:42: error: Dns:Recursion:AllowFrom:0 is "10.0.0.0/33": {NETWORK}
        { "Dns": { "Recursion": { "AllowFrom": [ "localnets" ] } } }
            => dnsd.json:1:42: error: Dns:Recursion:AllowFrom:0 is "localnets": {NETWORK}; the networks of this machine are listed one by one
        { "Dns": { "Recursion": { "AllowFrom": [ "10.0.0.0/255.0.0.0" ] } } }
            => dnsd.json:1:42: error: Dns:Recursion:AllowFrom:0 is "10.0.0.0/255.0.0.0": {NETWORK}; 10.0.0.0/8 has the length of this mask
        { "Dns": { "Recursion": { "AllowFrom": [ "10.0.0.0/255.0.255.0" ] } } }
            => dnsd.json:1:42: error: Dns:Recursion:AllowFrom:0 is "10.0.0.0/255.0.255.0": {NETWORK}
        { "Dns": { "Recursion": { "AllowFrom": [ "!10.0.0.1" ] } } }
            => dnsd.json:1:42: error: Dns:Recursion:AllowFrom:0 is "!10.0.0.1": {NETWORK}; a list has no exceptions
        { "Dns": { "RateLimit": { "Exempt": [ "10.0.0.0-10.0.0.9" ] } } }
            => dnsd.json:1:39: error: Dns:RateLimit:Exempt:0 is "10.0.0.0-10.0.0.9": {NETWORK}
        { "Dns": { "Proxy": { "From": "any" } } }
            => dnsd.json:1:23: error: Dns:Proxy:From is "any": expected a list of networks such as ["127.0.0.0/8", "::1/128"]
        { "Dns": { "Workers": 1025 } }
            => dnsd.json:1:12: error: Dns:Workers is 1025: expected a whole number of threads from 0 to 1024
        { "Dns": { "MaxUdpPayload": 65536 } }
            => dnsd.json:1:12: error: Dns:MaxUdpPayload is 65536: expected a whole number of octets from 512 to 65535
        { "Dns": { "Tcp": { "MaxConection": 5 } } }
            => dnsd.json:1:21: error: unknown setting Dns:Tcp:MaxConection: did you mean "MaxConnections"?
        { "Dns": { "Tcp": { "IdleTimeoutSeconds": "10s" } } }
            => dnsd.json:1:21: error: Dns:Tcp:IdleTimeoutSeconds is "10s": expected a whole number of seconds from 1 to 6553
        { "Dns": { "Udp": { "Listener": "fast" } } }
            => dnsd.json:1:21: error: Dns:Udp:Listener is "fast": expected one of auto, batched, portable
        { "Dns": { "Cookies": { "Secrets": "0123456789abcdef0123456789abcdef" } } }
            => dnsd.json:1:25: error: Dns:Cookies:Secrets is text: expected a list of secrets of 32 hexadecimal digits
        { "Dns": { "Cookies": { "Rotate": "1y" } } }
            => dnsd.json:1:25: error: Dns:Cookies:Rotate is "1y": expected a time up to 365d: seconds, or a number with s, m, h, d or w such as "3h"
        { "Dns": { "Cache": { "MaxBytes": "512K" } } }
            => dnsd.json:1:23: error: Dns:Cache:MaxBytes is "512K": expected an amount of memory from 1M to 1024G, such as "256M" or "25%"
        { "Dns": { "Cache": { "MaxBytes": "lots" } } }
            => dnsd.json:1:23: error: Dns:Cache:MaxBytes is "lots": expected an amount of memory from 1M to 1024G, such as "256M" or "25%"
        { "Dns": { "Cache": { "MinTtl": "2h", "MaxTtl": "1h" } } }
            => dnsd.json:1:23: error: Dns:Cache:MinTtl is above Dns:Cache:MaxTtl: expected it at or below
        { "Dns": { "Cache": { "ServeStale": "forever" } } }
            => dnsd.json:1:23: error: Dns:Cache:ServeStale is "forever": expected a time up to 1w: seconds, or a number with s, m, h, d or w such as "3h"
        { "Dns": { "Admin": { "Listen": "8053" } } }
            => dnsd.json:1:23: error: Dns:Admin:Listen is "8053": expected an address with a port, such as 127.0.0.1:8053 or [::1]:8053, or null
        { "Dns": { "Admin": { "Listen": "0.0.0.0:8053" } } }
            => dnsd.json:1:23: error: Dns:Admin:Listen is "0.0.0.0:8053", which others can reach: expected a loopback address, or beside it Dns:Admin:Token, or Dns:Admin:Open "health" or "metrics" for those alone
        { "Dns": { "Admin": { "Token": "short" } } }
            => dnsd.json:1:23: error: Dns:Admin:Token is text: expected a token of 16 to 255 characters of ASCII without spaces, or null
        { "Dns": { "Telemetry": { "Otlp": "collector:4317" } } }
            => dnsd.json:1:27: error: Dns:Telemetry:Otlp is "collector:4317": expected an address such as http://127.0.0.1:4318, or null
        { "Dns": { "Telemetry": { "TraceSample": 2 } } }
            => dnsd.json:1:27: error: Dns:Telemetry:TraceSample is 2: expected a number from 0 to 1, such as 0.01
        { "Dns": { "QueryLog": { "Format": "xml" } } }
            => dnsd.json:1:26: error: Dns:QueryLog:Format is "xml": expected one of json, text
        { "Dns": { "QueryLog": { "File": "" } } }
            => dnsd.json:1:26: error: Dns:QueryLog:File is "": expected the path of a file, or null
        { "Dns": { "Dnstap": { "Sample": "all" } } }
            => dnsd.json:1:24: error: Dns:Dnstap:Sample is "all": expected a number from 0 to 1, such as 0.01
        { "Dns": { "Control": { "Socket": 5 } } }
            => dnsd.json:1:25: error: Dns:Control:Socket is 5: expected the path of a socket, auto, or null
        { "Dns": { "Identity": "" } }
            => dnsd.json:1:12: error: Dns:Identity is "": expected text of 1 to 255 octets, or null
        { "Dns": { "Zones": [ { "Name": "a..b", "File": "f" } ] } }
            => dnsd.json:1:25: error: Dns:Zones:0:Name is "a..b": expected a domain name in ASCII (international names as xn--...)
        { "Dns": { "Zones": [ { "Name": "a" } ] } }
            => dnsd.json:1:23: error: Dns:Zones:0: expected File, or "Type": "secondary" and Primaries, or "Catalog": "producer"
        { "Dns": { "Zones": { "a": "a.zone" } } }
            => dnsd.json:1:12: error: Dns:Zones is an object: expected a list of zones such as [{ "Name": "example.com", "File": "example.com.zone" }]
        { "Dns": { "Zones": [ "a.zone" ] } }
            => dnsd.json:1:23: error: Dns:Zones:0 is "a.zone": expected an object with Name and File, or with Directory and Pattern
        { "Dns": { "RotateRRsets": "yes" } }
            => dnsd.json:1:12: error: Dns:RotateRRsets is "yes": expected true or false
        { "Serilog": { "MinimumLevel": "Info" } }
            => dnsd.json:1:16: error: Serilog:MinimumLevel is "Info": expected one of Verbose, Debug, Information, Warning, Error, Fatal
        { "Serilog": { "WriteTo": [ { "Name": "Syslog" } ] } }
            => dnsd.json:1:31: error: Serilog:WriteTo:0:Name is "Syslog": expected a sink with the Name Console or File
        { "Serilog": { "WriteTo": [ { "Name": "File" } ] } }
            => dnsd.json:1:29: error: Serilog:WriteTo:0 has no Args:path: expected the file to write to
        { "Dns": { "Workers": 1, "workers": 2 } }
            => dnsd.json:1:26: error: Dns:workers is given twice, first in line 1
        { "Dns": { "Workers": 1 "Identity": "x" } }
            => dnsd.json:1:25: error: not valid JSON: expected a comma and the next key in double quotes, or }
        """;

    private static readonly (string Name, string Sentence)[] Sentences =
    [
        ("{PEER}",
            "an address or network, key: and the name of a key in Dns:TsigKeys, or both, such as \"192.0.2.0/24 " +
                "key:k1.\""),
        ("{SERVER}",
            "expected the address of a server with an optional port, and perhaps key: and the name of a key in " +
                "Dns:TsigKeys, "
            + "such as \"192.0.2.1:5353 key:k1.\" or \"[2001:db8::1]:5353\""),
        ("{LISTEN}",
            "expected an address with a port, such as 127.0.0.1:5335, [::1]:5335 or 0.0.0.0:53 (without a port: 53)"),
        ("{BESIDE}", "which cannot be bound beside"),
        ("{WILDCARD}", "of the list: expected the wildcard address alone, or the others without it"),
        ("{GROUP}", "expected an address of this machine, which no multicast or broadcast address is"),
        ("{UPSTREAM}",
            "expected the address of a server with an optional port, such as 192.0.2.53 or [2001:db8::53]:5353"),
        ("{NETWORK}",
            "expected a network such as 192.0.2.0/24, 2001:db8::/32 or a single address, without bits behind the " +
                "length"),
    ];

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>Pairs of settings and the message.</summary>
    public static TheoryData<string, string> Rows
    {
        get
        {
            string[] lines = Table.Split('\n', StringSplitOptions.TrimEntries);
            TheoryData<string, string> rows = [];
            for (int i = 0; i + 1 < lines.Length; i += 2)
                rows.Add(lines[i], Sentences.Aggregate(
                    lines[i + 1][3..],
                    (line, sentence) => line.Replace(sentence.Name, sentence.Sentence, StringComparison.Ordinal)));
            return rows;
        }
    }

    [Fact]
    public void There_are_sixty_mistakes_and_more() => Assert.True(Rows.Count() >= 60);

    [Theory]
    [MemberData(nameof(Rows))]
    public void A_mistake_is_told_with_file_line_key_and_what_was_expected(string json, string expected) =>
        Assert.Equal(expected, Assert.Single(_folder.Problems(json)));
}
