namespace Dns.Import;

/// <summary>Whose configuration is translated.</summary>
internal enum ImportFormat
{
    Bind,
    Nsd,
    Knot,
    Unbound,
}
