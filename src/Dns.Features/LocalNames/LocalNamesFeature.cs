namespace Dns.Features.LocalNames;

/// <summary>
/// The local names of a forwarder (RFC 6303, RFC 6761), served here so that queries for them do not leak.
/// </summary>
public sealed class LocalNamesFeature : Feature, IFeature
{
    private readonly LocalNamesSource _names;
    private readonly bool _isForwarding;
    private IReadOnlyList<DomainName>? _forwarded;

    private LocalNamesFeature(ServerOptions options)
    {
        _isForwarding = options.Forward.Count > 0;
        _forwarded = ForwardedOf(options);
        _names = new LocalNamesSource(_forwarded);
    }

    public static Feature Create(ServerParts parts) => new LocalNamesFeature(parts.Options);

    public override IZoneSource Source => _names;

    public override void Use(ServerOptions options)
    {
        IReadOnlyList<DomainName>? forwarded = ForwardedOf(options);
        // Without a forwarder at the start there is none, whatever the settings say now.
        if (!_isForwarding || (forwarded ?? []).SequenceEqual(_forwarded ?? [])
            && forwarded is null == _forwarded is null) return;
        _names.Use(_forwarded = forwarded);
    }

    /// <summary>The forwarded names; null if local names are off.</summary>
    internal static IReadOnlyList<DomainName>? ForwardedOf(ServerOptions options) =>
        options.Forward.Count == 0 || !options.RecursionLocalNames
            ? null : [.. options.Forward.Select(zone => zone.Name)];
}
