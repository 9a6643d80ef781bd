namespace Dns.Import.Shared;

/// <summary>Whose configuration is translated.</summary>
internal enum ImportFormat
{
    Bind,
    Nsd,
    Knot,
    Unbound,
}
