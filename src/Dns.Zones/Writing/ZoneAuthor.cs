namespace Dns.Zones.Writing;

/// <summary>By which interface a zone is changed.</summary>
public enum ZoneWriteOrigin : byte
{
    /// <summary>A message of opcode UPDATE (RFC 2136).</summary>
    Update,

    /// <summary>A command of the operator.</summary>
    Command,

    /// <summary>The HTTP API.</summary>
    Api,

    /// <summary>Another program, in the store of a back end.</summary>
    Store,
}

/// <summary>Who changes a zone, for the log.</summary>
/// <param name="Client">The address, or the user of the machine.</param>
/// <param name="Key">The name of the key by which the client is known; null = none.</param>
public sealed record ZoneAuthor(ZoneWriteOrigin Origin, string Client, string? Key = null);
