namespace Dns.Import.Shared;

/// <summary>Why a statement was not translated.</summary>
internal enum ImportLimit
{
    /// <summary>It was, or needs no translation.</summary>
    None,

    /// <summary>The server has nothing like it.</summary>
    OfServer,

    /// <summary>The server has it, or may have it; the importer does not translate it: set it by hand.</summary>
    OfImporter,
}
