namespace Dns.Import.Shared;

/// <summary>What a file is that is imported: the first four are translated.</summary>
internal enum ImportFormat
{
    Bind,
    Nsd,
    Knot,
    Unbound,
    Json,
    ZoneFile,
    Dnsdist,
    Corefile,
    ResolvConf,
    /// <summary>Sections in brackets.</summary>
    Brackets,
    RecursorYaml,
    PowerDns,
    Recursor,
    Dnsmasq,
}
