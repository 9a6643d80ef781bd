namespace Dns.Zones;

/// <summary>What a server can say of a zone that some source claims.</summary>
/// <remarks>
/// <code>
///            Publish    Fail      Expire
/// Loading    Serving    Failed    Expired
/// Serving    Serving    Stale     Expired
/// Stale      Serving    Stale     Expired
/// Expired    Serving    Expired   Expired
/// Failed     Serving    Failed    Expired
/// </code>
/// </remarks>
public enum ZoneState : byte
{
    /// <summary>Its data has not come yet: queries get SERVFAIL.</summary>
    Loading,

    /// <summary>It is answered from its current version.</summary>
    Serving,

    /// <summary>It is answered from its current version, though newer data could not be used or not be had.</summary>
    Stale,

    /// <summary>Its data is too old to be answered from (RFC 1035 §3.3.13, EXPIRE): queries get SERVFAIL.</summary>
    Expired,

    /// <summary>Its data cannot be used and there is none from before: queries get SERVFAIL.</summary>
    Failed,
}
