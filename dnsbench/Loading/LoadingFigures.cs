namespace Dns.Bench;

/// <summary>The starts of one server.</summary>
internal sealed class LoadingFigures(Peer peer, string path)
{
    internal Peer Peer => peer;

    internal string Path => path;

    internal string Name => peer.Name;

    /// <summary>Starts with the zones of the case.</summary>
    internal (Spread Seconds, Spread Bytes) Whole { get; } = (new Spread(), new Spread());

    /// <summary>Starts with a zone of 5 records.</summary>
    internal (Spread Seconds, Spread Bytes) Bare { get; } = (new Spread(), new Spread());

    /// <summary>Why it did not start; null if it did.</summary>
    internal string? Failure { get; set; }

    /// <summary>Seconds beyond a start with hardly a zone.</summary>
    internal double ZoneSeconds => Whole.Seconds.Middle - Bare.Seconds.Middle;

    /// <summary>Memory in bytes beyond that with hardly a zone.</summary>
    internal double ZoneBytes => Whole.Bytes.Middle - Bare.Bytes.Middle;
}
