namespace Dns.Protocol.Messages;

/// <summary>The kind of request (IANA DNS OpCodes).</summary>
public enum Opcode : byte
{
    /// <summary>A standard query (RFC 1035).</summary>
    Query = 0,
    /// <summary>An inverse query, obsolete (RFC 3425).</summary>
    IQuery = 1,
    /// <summary>Server status, never specified.</summary>
    Status = 2,
    /// <summary>A zone has changed (RFC 1996).</summary>
    Notify = 4,
    /// <summary>Dynamic update (RFC 2136).</summary>
    Update = 5,
    /// <summary>DNS stateful operations (RFC 8490).</summary>
    Dso = 6,
}
