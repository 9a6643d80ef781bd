namespace Dns.Configuration.Options;

/// <summary>What a line of the query log looks like.</summary>
internal enum QueryLogFormat : byte
{
    Json,

    /// <summary>Words with spaces between them.</summary>
    Text,
}

/// <summary>The log of queries, section <c>Dns:QueryLog</c>.</summary>
internal sealed class QueryLogOptions
{
    /// <summary>The file; null = there is no such log.</summary>
    public string? File { get; set; }

    /// <summary>The clients whose answers are logged; empty = all.</summary>
    public IReadOnlyList<IPNetwork> Clients { get; set; } = [];

    /// <summary>Answers for these names and all below them are logged; empty = all.</summary>
    public IReadOnlyList<DomainName> Zones { get; set; } = [];

    /// <summary>Answers with these codes are logged; empty = all.</summary>
    public IReadOnlyList<Rcode> Rcodes { get; set; } = [];

    /// <summary>The share of these answers that is logged, 0 to 1.</summary>
    public double Sample { get; set; } = 1;

    public QueryLogFormat Format { get; set; } = QueryLogFormat.Json;
}
