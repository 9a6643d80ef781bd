namespace Dns.Forwarding;

/// <summary>Whether an upstream is asked.</summary>
public enum UpstreamState : byte
{
    /// <summary>It answers, or nothing is known.</summary>
    Up,

    /// <summary>It did not answer and is left alone; it is asked now and then whether it is back.</summary>
    HeldDown,

    /// <summary>What we asked it came back to us: it is this server. Never asked again.</summary>
    Ourselves,
}
