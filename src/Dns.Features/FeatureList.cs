namespace Dns.Features;

/// <summary>The kinds of features of a server, in the order of their start; they stop in the reverse order.</summary>
public sealed class FeatureList
{
    private readonly List<Kind> _kinds = [];
    private int _beforeSockets;

    private sealed record Kind(
        Func<ServerParts, Feature> Create, Func<IEnumerable<Setting>> FindSettings,
        Func<Settings, IEnumerable<SettingProblem>> Check, Func<ServerOptions, IEnumerable<WrittenFile>> FindFiles,
        Func<ServerOptions, ZoneExpansion, IEnumerable<SettingWarning>> FindWarnings);

    /// <summary>Adds a kind.</summary>
    public FeatureList With<T>() where T : Feature, IFeature
    {
        _kinds.Add(new Kind(T.Create, () => T.Settings, T.Check, T.FindFiles, T.FindWarnings));
        return this;
    }

    /// <summary>Serves the sockets here: what follows starts later, and stops while replies can be sent.</summary>
    public FeatureList WithSockets()
    {
        _beforeSockets = _kinds.Count;
        return this;
    }

    /// <summary>The settings of all kinds.</summary>
    public IEnumerable<Setting> FindSettings() => _kinds.SelectMany(kind => kind.FindSettings());

    /// <summary>Problems of settings that prevent a start.</summary>
    public IEnumerable<SettingProblem> Check(Settings settings) => _kinds.SelectMany(kind => kind.Check(settings));

    /// <summary>Files of the settings that are written.</summary>
    public IEnumerable<WrittenFile> FindFiles(ServerOptions options) =>
        _kinds.SelectMany(kind => kind.FindFiles(options));

    /// <summary>What is permitted and may not be meant, as far as it depends on the files of zones.</summary>
    public IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones) =>
        _kinds.SelectMany(kind => kind.FindWarnings(options, zones));

    /// <summary>Makes the features.</summary>
    public FeatureSet Create(ServerParts parts)
    {
        List<Feature> features = [];
        foreach (Kind kind in _kinds)
        {
            Feature feature = kind.Create(parts);
            features.Add(feature);
            parts.Add(feature);
        }
        return new FeatureSet(this, features, _beforeSockets, parts.Exceptions);
    }
}
