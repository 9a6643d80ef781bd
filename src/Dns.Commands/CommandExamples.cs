namespace Dns.Commands;

/// <summary>The examples at the foot of each help page.</summary>
internal static class CommandExamples
{
    private static readonly string[] Run =
    [
        "dnsd                                            serve the zones of ./dnsd.json, else the installed ones, " +
            "else examples",
        "dnsd run --config /etc/dnsd/dnsd.json",
        "dnsd run --listen 127.0.0.1:5300 --zone example.com=example.com.zone",
        "dnsd run --Dns:MaxUdpPayload=1400               any setting, over file and environment",
    ];

    private static readonly string[] Check =
        ["dnsd check                                      read the settings that dnsd would use, and all zones; " +
            "serve nothing"];

    private static readonly string[] ZoneCheck =
        ["dnsd zone check example.com example.com.zone    print errors and warnings with their lines"];

    private static readonly string[] ZoneDump =
    [
        "dnsd zone dump example.com example.com.zone     the zone that would be served, one record a line",
        "dnsd zone dump --raw example.com parts.zone     every record of the file",
        "dnsd zone dump --generic . root.zone            RDATA as \\# LENGTH HEX",
    ];

    private static readonly string[] ZoneSign =
    [
        "dnsd zone sign example.com example.com.zone --keys keys --output example.com.signed",
        "dnsd zone sign example.com example.com.signed --keys keys --output example.com.signed   sign again what is " +
            "due",
        "dnsd zone sign com com.zone --keys keys --output com.signed --denial nsec3 --opt-out",
    ];

    private static readonly string[] Query =
    [
        "dnsd query www.example.com                      query the address at the server on this machine",
        "dnsd query example.com MX @192.0.2.1            query another server, port 53",
        "dnsd query example.com A AAAA MX                a query for each type",
        "dnsd query example.com DNSKEY @::1#5335 +tcp +dnssec",
        "dnsd query version.bind TXT CH +short -p 5335",
        "dnsd query example.com --json                   the reply in the form of RFC 8427, for jq",
        "dnsd query -x 192.0.2.10",
    ];

    private static readonly string[] Service =
    [
        "dnsd service install                            with settings in /etc/dnsd, all addresses, port 53",
        "dnsd service install --dry-run                  print the unit, change nothing",
        "dnsd service status",
        "dnsd service uninstall                          settings and zones stay",
    ];

    private static readonly string[] Control =
    [
        "dnsd status                                     the server that runs here",
        "dnsd ready                                      exit code 0 when every zone has been read, for probes",
        "dnsd reload --dry-run                           what a reload would change",
        "dnsd zones --broken                             zones whose files have errors",
        "dnsd stats --json",
        "dnsd loglevel Debug                             until the next reload",
        "dnsd stop --socket /run/dnsd/control-53.sock",
    ];

    private static readonly string[] ZoneControl =
    [
        "dnsd zone status example.com                    serial, file, errors",
        "dnsd zone reload example.com                    read its file again, changed or not",
        "dnsd zone notify example.com                    its secondaries, now",
        "dnsd zone add example.net /etc/dnsd/example.net.zone   also after a restart",
        "dnsd zone remove example.net                    also after a restart; the settings and the file stay",
    ];

    private static readonly string[] Keys =
    [
        "dnsd keys generate example.com --keys keys      a CSK; the name of its files is printed",
        "dnsd keys ds example.com --keys keys            the DS records for the parent",
        "dnsd keys import example.com Kexample.com.+013+12345.private --keys keys",
        "dnsd keys export example.com --keys keys --output elsewhere",
        "dnsd keys list example.com                      of the running server: states, and what comes next",
        "dnsd keys rollover example.com --zsk            another ZSK now",
        "dnsd keys submitted example.com 4711            the parent has the DS record of key 4711",
        "dnsd keys request example.com --until 365d --output example.com.request   ask for a year of signatures of " +
            "an offline KSK",
        "dnsd keys request example.com --new-zsk --until 365d --output example.com.request   replace a ZSK that " +
            "others may have",
        "dnsd keys sign-request example.com.request --keys ksk --output example.com.bundle   on the machine that " +
            "has the KSK",
        "dnsd keys load-bundle example.com example.com.bundle",
    ];

    private static readonly string[] Why =
    [
        "dnsd why www.example.com A                      which zone and rule an answer comes from",
        "dnsd why mail.example.org MX --from 192.0.2.7   for another client",
    ];

    private static readonly string[] Cache =
    [
        "dnsd cache lookup www.example.org               the cached answers of a name",
        "dnsd cache flush example.org --below            remove it and all names below it",
    ];

    /// <summary>The examples of a command; all of them for the program itself.</summary>
    public static IEnumerable<string> Of(string command) => command switch
    {
        "run" => Run,
        "check" => [.. Check, .. ZoneCheck],
        "zone check" => ZoneCheck,
        "zone dump" => ZoneDump,
        "zone sign" => ZoneSign,
        "zone" => [.. ZoneCheck, .. ZoneDump, ZoneSign[0], .. ZoneControl],
        "query" => Query,
        "import" => ["dnsd import /etc/bind/named.conf --output dnsd.json", "dnsd import --from knot knot.conf"],
        "completion" =>
        [
            "dnsd completion bash >/etc/bash_completion.d/dnsd",
            "dnsd completion powershell >>$PROFILE",
        ],
        "tsig" or "tsig generate" =>
        [
            "dnsd tsig generate k1.example                   a key for the settings of dnsd",
            "dnsd tsig generate k1.example --format bind     for named, nsupdate and dig",
        ],
        _ when command == "keys" || command.StartsWith("keys ", StringComparison.Ordinal) => Keys,
        "manual" => ["dnsd manual dnsd.8 | man -l -                   read it without installing it"],
        "why" => Why,
        "cache" or "cache flush" or "cache lookup" => Cache,
        _ when command.StartsWith("zone ", StringComparison.Ordinal) => ZoneControl,
        _ when command.StartsWith("service", StringComparison.Ordinal) => Service,
        "status" or "ready" or "zones" or "reload" or "stop" or "stats" or "querylog" or "loglevel" => Control,
        _ => [.. Run, .. Check, .. ZoneCheck, ZoneDump[0], .. Query.Take(2), Service[0], .. Control.Take(3), Why[0]],
    };
}
