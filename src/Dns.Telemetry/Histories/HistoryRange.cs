namespace Dns.Telemetry.Histories;

/// <summary>A part of the past that the status page shows.</summary>
public enum HistoryRange
{
    FiveMinutes,
    Hour,
    Start,
}
