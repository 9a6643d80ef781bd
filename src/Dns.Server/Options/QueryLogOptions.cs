namespace Dns.Server;

/// <summary>What a line of the query log looks like.</summary>
internal enum QueryLogFormat : byte
{
    /// <summary>An object of JSON.</summary>
    Json,

    /// <summary>Words with spaces between them.</summary>
    Text,
}

/// <summary>The log of queries, section <c>Dns:QueryLog</c>.</summary>
internal sealed class QueryLogOptions
{
    /// <summary>The file; null = there is no such log.</summary>
    public string? File { get; set; }

    /// <summary>The share of answers that is logged, 0 to 1.</summary>
    public double Sample { get; set; } = 1;

    /// <summary>What a line looks like.</summary>
    public QueryLogFormat Format { get; set; } = QueryLogFormat.Json;
}
