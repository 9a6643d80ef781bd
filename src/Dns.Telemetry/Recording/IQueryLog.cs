namespace Dns.Telemetry.Recording;

/// <summary>A log of queries that can be turned on and off while the server runs.</summary>
internal interface IQueryLog
{
    bool IsOn { get; set; }
}
