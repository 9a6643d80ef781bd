namespace Dns.Features;

/// <summary>Applies changed settings to the features, and to the responder through them.</summary>
public sealed class FeatureSettings(FeatureSet features, LiveResponder responder) : ILiveSettings
{
    public IEnumerable<string> FindRestartRequired(ServerOptions options) =>
        features.All.SelectMany(feature => feature.FindRestartRequired(options));

    public IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones) =>
        features.Kinds.FindWarnings(options, zones);

    public SecondaryChanges FindSecondaries(ServerOptions options) =>
        features.All.Select(feature => feature.Compare(options))
            .FirstOrDefault(changes => !ReferenceEquals(changes, SecondaryChanges.None), SecondaryChanges.None);

    public void Apply(ServerOptions options)
    {
        features.ForEach(feature => feature.Use(options));
        responder.Current = responder.Current.With(features.AddTo(responder.Current.Options));
    }

    public void OnZonesChanged() => features.ForEach(static feature => feature.OnZonesChanged());

    public void OnZonesRead() => features.ForEach(static feature => feature.OnZonesRead());
}
