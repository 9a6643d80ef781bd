namespace Dns.Import.Shared;

/// <summary>What an untranslated statement means for the move to this server, in the order of the report.</summary>
internal enum ImportSeverity
{
    /// <summary>Clients get wrong answers or none: a zone, an address or a source of data is missing.</summary>
    Blocks,

    /// <summary>The server works, and does something else than the one before.</summary>
    Changes,

    /// <summary>Clients see no difference.</summary>
    Cosmetic,
}
