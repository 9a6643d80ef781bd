using Microsoft.Extensions.Logging;

namespace Dns.Features.Forwarding;

/// <summary>
/// Forwards names to upstreams, with a cache, for listed clients. Without <c>Dns:Forward</c> it does nothing.
/// </summary>
public sealed class ForwardingFeature : Feature, IFeature
{
    private const int LeastSockets = 16;

    private readonly Forwarder? _forwarder;
    private readonly IReadOnlyList<IPEndPoint> _own;
    private readonly ForwardingLifetime? _lifetime;
    private readonly CacheFile? _file;
    private readonly ILogger _logger;

    private ForwardingFeature(ServerParts parts)
    {
        _own = parts.Listeners.EndPoints;
        _logger = parts.Loggers.CreateLogger<ForwardingFeature>();
        if (parts.Options.Forward.Count == 0) return;
        _forwarder = new Forwarder(OptionsOf(parts.Options, _own), parts.Clock, SchemeNetwork.Create(parts.Exceptions),
            parts.Exceptions)
        {
            Served = new ServedZones(parts.Registry.Published),
        };
        if (parts.Options.CacheFile is { } file)
            _file = new CacheFile(file, _forwarder, parts.Clock, parts.Loggers.CreateLogger<CacheFile>());
        _lifetime = new ForwardingLifetime(
            _forwarder, parts.Clock, parts.Loggers.CreateLogger<ForwardingLifetime>(), _file);
    }

    public static IEnumerable<Setting> Settings =>
        [ForwardSetting.Zones, RecursionOptions.Section, CacheSettings.Section];

    public static Feature Create(ServerParts parts) => new ForwardingFeature(parts);

    public static IEnumerable<SettingProblem> Check(Settings settings)
    {
        long size = settings.Options.Cache.MaxBytes, memory = settings.MemoryBytes;
        long most = memory / 100 * ServerMemory.MaxCachePercent;
        if (settings.Options.Forward.Count > 0 && size > most)
            yield return new SettingProblem("Dns:Cache:MaxBytes",
                $"Dns:Cache:MaxBytes is {SizeText.Format(size)}: expected at most {ServerMemory.MaxCachePercent} "
                + $"per cent of the {memory >> 20}M that this machine or cgroup has, {most >> 20}M");
    }

    public static IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones) =>
        ServedAndForwarded.FindWarnings(options, zones);

    public static IEnumerable<WrittenFile> FindFiles(ServerOptions options) =>
        options.CacheFile is { } file ? [new("Dns:Cache:File", file)] : [];

    public override Forwarder? Forwarder => _forwarder;

    public override IForwardedZones? Forwarded => _forwarder is null ? null : new ForwardedZones(_forwarder);

    public override IExplainedForwarding? Explained =>
        _forwarder is null ? null : new ForwardingExplanation(_forwarder);

    public override IMessageResponder? Join<TSteps>(LiveResponder responder, AnswerTimes? times, TSteps steps) =>
        _forwarder is null ? null
            : typeof(TSteps) == typeof(NoSteps) ? new ForwardingAdapter(responder, _forwarder, times)
            : new SteppedForwardingAdapter<TSteps>(responder, _forwarder, times, steps);

    public override Task StartAsync(CancellationToken cancellation) =>
        _lifetime?.StartAsync(cancellation) ?? Task.CompletedTask;

    public override Task StopAsync(CancellationToken cancellation) =>
        _lifetime?.StopAsync(cancellation) ?? Task.CompletedTask;

    public override void OnSuccessor() => _file?.Save();

    public override IEnumerable<string> FindRestartRequired(ServerOptions options) =>
        _forwarder is null && options.Forward.Count > 0
            ? ["Dns:Forward takes effect at the next start: nothing was forwarded so far"] : [];

    public override void Use(ServerOptions options)
    {
        if (_forwarder?.Use(OptionsOf(options, _own)) == true) ForwardingLog.Write(_logger, _forwarder.Zones);
    }

    public override string? FindObstacle(DomainName zone) =>
        _forwarder?.Zones.Any(forwarded => forwarded.Name.Equals(zone)) == true
            ? "it is forwarded by Dns:Forward, expected one of them" : null;

    public override void AddTo(MetricSet metrics)
    {
        if (_forwarder is not null) ForwardingMetrics.Add(metrics, _forwarder);
    }

    public override IEnumerable<CountGroup> Counts =>
        _forwarder is null ? [] : ForwardingMetrics.CountsOf(_forwarder);

    public override IEnumerable<StatusWarning> FindWarnings()
    {
        if (_forwarder is not { Upstreams: var upstreams }) yield break;
        foreach (string text in UpstreamWarnings.OfZones(upstreams)) yield return new(true, text, []);
        foreach (string text in UpstreamWarnings.OfUpstreams(upstreams)) yield return new(false, text, []);
    }

    public override void AddTo(CommandTable commands)
    {
        CacheReplies replies = new(_forwarder?.Cache);
        commands.Add("cache flush", replies.Flush);
        commands.Add("cache lookup", replies.Lookup);
    }

    internal static int UpstreamsOf(ServerOptions options) =>
        options.Forward.SelectMany(zone => zone.Upstreams).Distinct().Count();

    /// <summary>Maximum descriptors of sockets to upstreams.</summary>
    public static int DescriptorsOf(ServerOptions options) =>
        SocketsPerUpstream(options, DescriptorLimit.Files) * UpstreamsOf(options);

    /// <summary>Sockets to each upstream: 1,024, or a share of a quarter of the open files limit; 16 or more.</summary>
    /// <param name="files">The open files limit of the process; null = unknown.</param>
    internal static int SocketsPerUpstream(ServerOptions options, ulong? files) =>
        files is { } known && UpstreamsOf(options) is > 0 and int upstreams
            ? (int)Math.Clamp(known / 4 / (ulong)upstreams, LeastSockets, ForwarderOptions.MostSockets)
            : ForwarderOptions.MostSockets;

    private static ForwarderOptions OptionsOf(ServerOptions options, IReadOnlyList<IPEndPoint> listening) =>
        options.Recursion with
        {
            Zones = options.Forward,
            Cache = options.Cache,
            SocketsPerUpstream = SocketsPerUpstream(options, DescriptorLimit.Files),
            OwnEndPoints = listening,
        };
}
