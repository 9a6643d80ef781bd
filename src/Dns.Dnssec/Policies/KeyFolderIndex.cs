namespace Dns.Dnssec.Policies;

/// <summary>
/// The names of the files in a folder of keys. The folder is flat and has files of all zones: it is listed at most once
/// a second, so that a first start with many zones does not list it for each of them. Thread-safe.
/// </summary>
internal sealed class KeyFolderIndex(string folder, IJournalFiles files, Func<DateTimeOffset> now)
{
    // Files that other programs create meanwhile are seen afterwards.
    private static readonly TimeSpan MostAge = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private Dictionary<string, SortedSet<string>>? _names;
    private HashSet<string>? _states;
    private DateTimeOffset _listed;

    /// <summary>The key files of a zone with an extension, in order.</summary>
    /// <param name="prefix">The start of their names, up to the plus sign after the zone's name.</param>
    /// <exception cref="IOException">The folder cannot be listed.</exception>
    internal IReadOnlyList<string> Find(string prefix, string extension)
    {
        lock (_gate)
        {
            DateTimeOffset at = now();
            if (_names is null || at < _listed || at - _listed >= MostAge) List(at);
            if (!_names!.TryGetValue(prefix, out SortedSet<string>? found)) return [];
            return [.. found.Where(name => name.EndsWith(extension, StringComparison.Ordinal))];
        }
    }

    /// <summary>Whether a zone has a state file. Only this process writes those.</summary>
    /// <exception cref="IOException">The folder cannot be listed.</exception>
    internal bool HasState(Func<string> name)
    {
        lock (_gate)
        {
            if (_states is null) List(now());
            return _states!.Count > 0 && _states.Contains(name());
        }
    }

    /// <summary>The state files, by name.</summary>
    /// <exception cref="IOException">The folder cannot be listed.</exception>
    internal IReadOnlySet<string> States()
    {
        lock (_gate)
        {
            List(now());
            return _states!.ToHashSet(StringComparer.Ordinal);
        }
    }

    internal void Add(string name)
    {
        lock (_gate) Note(name);
    }

    internal void Remove(string name)
    {
        lock (_gate)
        {
            _states?.Remove(name);
            if (PrefixOf(name) is { } prefix && _names?.TryGetValue(prefix, out SortedSet<string>? found) == true)
                found.Remove(name);
        }
    }

    /// <summary>Lists the folder at the next query.</summary>
    internal void Forget()
    {
        lock (_gate) _names = null;
    }

    private void List(DateTimeOffset at)
    {
        IReadOnlyList<string> all = files.List(folder);
        (_names, _states, _listed) = (new(StringComparer.Ordinal), new(StringComparer.Ordinal), at);
        foreach (string name in all) Note(name);
    }

    private void Note(string name)
    {
        if (name.EndsWith(KeyStore.StateExtension, StringComparison.Ordinal)) _states?.Add(name);
        if (_names is null || PrefixOf(name) is not { } prefix) return;
        if (!_names.TryGetValue(prefix, out SortedSet<string>? found))
            _names[prefix] = found = new(StringComparer.Ordinal);
        found.Add(name);
    }

    private static string? PrefixOf(string name) => name.IndexOf('+') is > 0 and var plus ? name[..(plus + 1)] : null;
}
