namespace Dns.Zones.Lookup;

/// <summary>The state of a claimed zone.</summary>
/// <remarks><code>
///            Publish    Fail      Expire
/// Loading    Serving    Failed    Expired
/// Serving    Serving    Stale     Expired
/// Stale      Serving    Stale     Expired
/// Expired    Serving    Expired   Expired
/// Failed     Serving    Failed    Expired
/// </code></remarks>
public enum ZoneState : byte
{
    /// <summary>Not loaded yet: queries get SERVFAIL.</summary>
    Loading,

    /// <summary>The current version is served.</summary>
    Serving,

    /// <summary>The current version is served, though newer data is unusable or unavailable.</summary>
    Stale,

    /// <summary>Its data has expired (RFC 1035 §3.3.13, EXPIRE): queries get SERVFAIL.</summary>
    Expired,

    /// <summary>Its data is unusable and there is no previous version: queries get SERVFAIL.</summary>
    Failed,
}
