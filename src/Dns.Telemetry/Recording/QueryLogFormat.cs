namespace Dns.Telemetry.Recording;

/// <summary>What a line of the query log looks like.</summary>
public enum QueryLogFormat : byte
{
    /// <summary>An object of JSON.</summary>
    Json,

    /// <summary>Words with spaces between them.</summary>
    Text,
}
