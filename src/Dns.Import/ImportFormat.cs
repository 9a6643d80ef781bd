namespace Dns.Import;

/// <summary>Whose configuration is translated.</summary>
internal enum ImportFormat
{
    /// <summary>BIND's named.conf.</summary>
    Bind,

    /// <summary>NSD's nsd.conf.</summary>
    Nsd,

    /// <summary>Knot DNS's knot.conf.</summary>
    Knot,

    /// <summary>Unbound's unbound.conf.</summary>
    Unbound,
}
