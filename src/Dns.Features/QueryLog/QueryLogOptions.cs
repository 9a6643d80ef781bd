namespace Dns.Features.QueryLog;

/// <summary>The log of queries, section <c>Dns:QueryLog</c>.</summary>
public sealed record QueryLogOptions
{
    /// <summary>The file; null = there is no such log.</summary>
    public string? File { get; init; }

    /// <summary>The clients whose answers are logged; empty = all.</summary>
    public IReadOnlyList<IPNetwork> Clients { get; init; } = [];

    /// <summary>Answers for these names and all below them are logged; empty = all.</summary>
    public IReadOnlyList<DomainName> Zones { get; init; } = [];

    /// <summary>Answers with these codes are logged; empty = all.</summary>
    public IReadOnlyList<Rcode> Rcodes { get; init; } = [];

    /// <summary>The share of these answers that is logged, 0 to 1.</summary>
    public double Sample { get; init; } = 1;

    /// <summary>What a line looks like.</summary>
    public QueryLogFormat Format { get; init; } = QueryLogFormat.Json;

    /// <summary>The codes that the header of an answer can have, by mnemonic.</summary>
    private static readonly SettingValue<Rcode> Code = Choice([.. Enum.GetValues<Rcode>().Distinct()
        .Where(code => (int)code <= MessageHeader.RcodeMask).Select(code => (RcodeText.Format(code), code))]);

    /// <summary>The section.</summary>
    public static SettingsSection<QueryLogOptions> Section { get; } =
        new SettingsSection<QueryLogOptions>("QueryLog", "The query log: a line for each response.", new())
        .Add("File", FilePath, o => o.File, (o, v) => o with { File = v },
            "Path of the query log; /dev/stdout and /dev/stderr are those of the server. null = no query log.",
            "/var/log/dnsd/queries.json")
        .Add("Sample", Fraction, o => o.Sample, (o, v) => o with { Sample = v },
            "The share of the selected responses that is logged.", 0.01)
        .Add("Clients", Networks, o => o.Clients, (o, v) => o with { Clients = v },
            "Only responses to clients of these networks are logged. Empty = all.", Json("192.0.2.0/24"))
        .Add("Zones", ListOf(
            "a list of names such as [\"example.com\", \"2.0.192.in-addr.arpa\"]", ZonesSetting.NameValue()),
            o => o.Zones, (o, v) => o with { Zones = v },
            "Only responses for these names and all names below them are logged. Empty = all.", Json("example.com"))
        .Add("Rcodes", ListOf("a list of RCODEs such as [\"SERVFAIL\", \"NXDOMAIN\"]", Code),
            o => o.Rcodes, (o, v) => o with { Rcodes = v },
            "Only responses with these RCODEs are logged, from NOERROR to DSOTYPENI. Empty = all.",
            Json("SERVFAIL", "REFUSED"))
        .Add("Format", Choice<QueryLogFormat>(), o => o.Format, (o, v) => o with { Format = v },
            "Format of a line.", "text");
}
