namespace Dns.Telemetry;

/// <summary>A part of the past that the status page shows.</summary>
internal enum HistoryRange
{
    /// <summary>The last five minutes.</summary>
    FiveMinutes,

    /// <summary>The last hour.</summary>
    Hour,

    /// <summary>All since the server started.</summary>
    Start,
}
