namespace Dns.Telemetry.Histories;

/// <summary>A part of the past that the status page shows.</summary>
internal enum HistoryRange
{
    FiveMinutes,
    Hour,
    Start,
}
