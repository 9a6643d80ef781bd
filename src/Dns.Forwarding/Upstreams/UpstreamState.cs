namespace Dns.Forwarding.Upstreams;

/// <summary>The state of an upstream.</summary>
public enum UpstreamState : byte
{
    /// <summary>It answers, or has not been used yet.</summary>
    Up,

    /// <summary>It does not answer; only probed until it is back.</summary>
    Down,

    /// <summary>It is this server: excluded for a minute after a query came back, or by the settings.</summary>
    Self,
}
