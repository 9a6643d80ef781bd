namespace Dns.Telemetry;

/// <summary>A part of the past that the status page shows.</summary>
internal enum HistoryRange
{
    FiveMinutes,
    Hour,
    Start,
}
