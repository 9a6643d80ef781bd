namespace Dns.Configuration.Options;

/// <summary>Where the data of a zone is maintained: <c>Type</c> of a zone.</summary>
public enum ZoneRole : byte
{
    /// <summary>On this server.</summary>
    Primary,

    /// <summary>On other servers; this one keeps a copy.</summary>
    Secondary,
}
