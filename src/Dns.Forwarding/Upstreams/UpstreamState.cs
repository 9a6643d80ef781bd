namespace Dns.Forwarding;

/// <summary>Whether an upstream is asked.</summary>
public enum UpstreamState : byte
{
    /// <summary>It answers, or nothing is known.</summary>
    Up,

    /// <summary>It did not answer and is left alone; it is asked now and then whether it is back.</summary>
    HeldDown,

    /// <summary>It is this server: what it was asked came back, then it is not asked for a minute; or the settings say so.</summary>
    Ourselves,
}
