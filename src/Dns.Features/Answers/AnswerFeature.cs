namespace Dns.Features.Answers;

/// <summary>What all answers take from the settings: sizes, identity, keys. The first feature of the list.</summary>
public sealed class AnswerFeature : Feature, IFeature
{
    private readonly int _slotOctets;
    private ResponderOptions _now;

    private AnswerFeature(ServerOptions options)
    {
        // The buffers of datagrams are fixed with the sockets.
        _slotOctets = new TransportOptions { MaxUdpPayload = options.MaxUdpPayload }.SlotOctets;
        _now = OptionsOf(options);
    }

    public static Feature Create(ServerParts parts) => new AnswerFeature(parts.Options);

    public override ResponderOptions AddTo(ResponderOptions options) => _now;

    public override IEnumerable<string> FindRestartRequired(ServerOptions options) =>
        options.MaxUdpPayload > _slotOctets
            ? [$"Dns:MaxUdpPayload above {_slotOctets} takes effect at the next start"] : [];

    public override void Use(ServerOptions options) => _now = OptionsOf(options) with
    {
        MaxUdpPayload = options.MaxUdpPayload <= _slotOctets ? options.MaxUdpPayload : _now.MaxUdpPayload,
    };

    /// <summary>The options of a responder without features.</summary>
    internal static ResponderOptions OptionsOf(ServerOptions options) => new()
    {
        MaxUdpPayload = options.MaxUdpPayload,
        Identity = options.Identity,
        Version = options.Version,
        RotateRRsets = options.RotateRRsets,
        MinimalAny = options.MinimalAny,
        Keys = new TsigKeyRing(options.TsigKeys),
        UnixSeconds = static () => TimeProvider.System.GetUtcNow().ToUnixTimeSeconds(),
        TcpIdleTimeoutMs = (int)options.Of(TcpSettings.Section).IdleTimeout.TotalMilliseconds,
    };
}
