namespace Dns.Bench;

/// <summary>The starts of one server.</summary>
internal sealed class LoadingFigures(Peer peer, string path)
{
    internal Peer Peer => peer;

    internal string Path => path;

    internal string Name => peer.Name;

    /// <summary>Starts with the zones of the case.</summary>
    internal StartFigures Whole { get; } = new();

    /// <summary>Starts with a zone of 5 records.</summary>
    internal StartFigures Bare { get; } = new();

    /// <summary>Why it did not start; null if it did.</summary>
    internal string? Failure { get; set; }

    /// <summary>Seconds beyond a start with hardly a zone.</summary>
    internal double ZoneSeconds => Whole.Seconds.Middle - Bare.Seconds.Middle;

    /// <summary>
    /// Memory in bytes beyond that with hardly a zone: data only, since parts of the program that a start uses later
    /// are not the zone's.
    /// </summary>
    internal double ZoneBytes => Whole.DataBytes.Middle - Bare.DataBytes.Middle;
}

/// <summary>Starts under one load.</summary>
internal sealed class StartFigures
{
    /// <summary>Seconds to the first answer.</summary>
    internal Spread Seconds { get; } = new();

    /// <summary>Memory in bytes (PSS).</summary>
    internal Spread Bytes { get; } = new();

    /// <summary>The part of it that is of no file.</summary>
    internal Spread DataBytes { get; } = new();
}
