namespace Dns.Import;

/// <summary>
/// What a statement that was not translated means for the move to this server. The order is that of the report.
/// </summary>
internal enum ImportSeverity
{
    /// <summary>
    /// Clients get wrong answers or none until it is dealt with: a zone, an address or a source of data is missing.
    /// </summary>
    Blocks,

    /// <summary>The server works, and does something else than the one before.</summary>
    Changes,

    /// <summary>Clients see no difference.</summary>
    Cosmetic,
}
