namespace Dns.Forwarding.Cache;

/// <summary>Why a saved cache is unusable.</summary>
public enum CacheFileFault : byte
{
    /// <summary>It is usable.</summary>
    None,

    /// <summary>It is no saved cache of this version.</summary>
    Version,

    /// <summary>Its checksum is wrong.</summary>
    Checksum,

    /// <summary>Its answers come from other upstreams.</summary>
    Origin,

    /// <summary>An entry is malformed.</summary>
    Entry,

    /// <summary>It does not end where its entries do.</summary>
    Length,
}
