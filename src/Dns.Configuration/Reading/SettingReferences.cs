namespace Dns.Configuration.Reading;

/// <summary>Names of keys that settings use, compared with <c>Dns:TsigKeys</c> at the end: they may follow.</summary>
public sealed class SettingReferences
{
    private readonly List<(SettingNode Node, string Path, DomainName Key)> _keys = [];
    private readonly HashSet<DomainName> _known = [];

    /// <summary>Whether a key was written whose name could not be read: it may be any that is used.</summary>
    public bool LacksNames { get; set; }

    public IEnumerable<DomainName> UsedKeys => _keys.Select(use => use.Key).Distinct();

    public void UseKey(SettingNode node, string path, DomainName key) => _keys.Add((node, path, key));

    /// <summary>A key is written, whether or not the rest of it is right.</summary>
    public void AddKey(DomainName key) => _known.Add(key);

    public void CheckKeys(SettingsBinder binder)
    {
        if (LacksNames) return;
        foreach (var (node, path, key) in _keys)
        {
            if (_known.Contains(key)) continue;
            string guess = NearestName.Find(key.ToString(), _known.Select(known => known.ToString())) is { } near
                ? $": did you mean \"key:{near}\"?" : "";
            binder.Report(node, $"{path}: there is no key {key} in Dns:TsigKeys{guess}");
        }
    }
}
