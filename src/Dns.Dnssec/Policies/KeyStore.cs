using System.Collections.Concurrent;

namespace Dns.Dnssec.Policies;

/// <summary>
/// A folder with the keys of zones: for each zone its key files, in BIND's format, and one file with their state. Every
/// file is written atomically, with mode 0600.
/// </summary>
/// <param name="folder">The folder; created with mode 0700 with the first key.</param>
/// <param name="files">The file system; null = the real one, with a flush of each file.</param>
public sealed partial class KeyStore(string folder, Func<DateTimeOffset> now, IJournalFiles? files = null) : IKeyStore
{
    /// <summary>The extension of state files.</summary>
    public const string StateExtension = ".keystate";

    private const int MaxStateOctets = 1 << 20;
    private const int MaxTries = 100;

    private readonly IJournalFiles _files = files ?? new DiskFiles(DirectorySync.Flush);
    private KeyFolderIndex? _index;
    private readonly ConcurrentDictionary<DomainName, int> _saved = [];

    /// <inheritdoc/>
    public string Folder { get; } = Path.GetFullPath(folder);

    /// <summary>The file with the state of a zone's keys.</summary>
    public string StatePathOf(DomainName zone) => Path.Combine(Folder, ZoneFileNames.Of(zone) + StateExtension);

    private KeyFolderIndex Index =>
        LazyInitializer.EnsureInitialized(ref _index, () => new KeyFolderIndex(Folder, _files, now));

    /// <inheritdoc/>
    public bool HasState(DomainName zone)
    {
        try
        {
            return Index.HasState(() => ZoneFileNames.Of(zone) + StateExtension);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Without its keys the zone cannot be signed.
            return false;
        }
    }

    /// <inheritdoc/>
    public void Invalidate() => Index.Forget();

    /// <inheritdoc/>
    public ZoneKeys Load(DomainName zone)
    {
        string path = StatePathOf(zone);
        try
        {
            if (ReadText(path, MaxStateOctets) is not { } text) return Adopt(zone);
            if (!KeyStateText.TryRead(text, out ZoneKeys? keys, out TextFault? fault))
                throw new IOException($"{path}: {fault}");
            ThrowIfLost(zone, keys);
            _saved[zone] = string.GetHashCode(text);
            return keys;
        }
        catch (UnauthorizedAccessException error)
        {
            throw new IOException(error.Message, error);
        }
    }

    /// <inheritdoc/>
    public void Save(DomainName zone, ZoneKeys keys)
    {
        string text = KeyStateText.Format(keys);
        int hash = string.GetHashCode(text);
        if (_saved.TryGetValue(zone, out int saved) && saved == hash && _files.Exists(StatePathOf(zone))) return;
        // Delete key files before the state forgets the key: a key without a state counts as never used.
        Purge(zone, keys);
        DurableFile.Write(StatePathOf(zone), Encoding.UTF8.GetBytes(text), isPrivate: true, _files);
        Index.Add(Path.GetFileName(StatePathOf(zone)));
        foreach (KeyRecord key in keys.Keys) WriteTimes(zone, key);
        _saved[zone] = hash;
    }

    /// <inheritdoc/>
    public void DeleteState(DomainName zone)
    {
        _files.Delete(StatePathOf(zone));
        _saved.TryRemove(zone, out _);
        Index.Remove(Path.GetFileName(StatePathOf(zone)));
    }

    /// <inheritdoc/>
    public KeyRecord Generate(DomainName zone, KeyNeed need, int rsaBits, ZoneKeys keys, DateTimeOffset now)
    {
        while (FindSpare(zone, need, keys) is { } spare)
        {
            if (!need.IsNew) return new KeyRecord(spare, need.Role, now);
            keys = WithRetired(zone, new KeyRecord(spare, need.Role, now), keys);
        }
        for (int i = 0; i < MaxTries; i++)
        {
            using SigningKey key = SigningKey.Generate(need.Algorithm, need.Role.SignsKeys(), rsaBits);
            KeyId id = new(key.Public.Algorithm, key.Public.Tag);
            // DS and RRSIG records cannot distinguish two keys with one tag.
            if (keys.Find(id) is not null || _files.Exists(PathOf(zone, id) + KeyFile.PublicExtension)) continue;
            KeyFile file =
                new() { Zone = zone, Public = key.Public, Key = key, Times = new KeyTimes { Created = now } };
            file.Write(Folder, _files);
            Index.Add(file.BaseName + KeyFile.PrivateExtension);
            Index.Add(file.BaseName + KeyFile.PublicExtension);
            return new KeyRecord(id, need.Role, now);
        }
        throw new IOException($"{Folder}: no key with a tag of its own was found for {zone}");
    }

    /// <inheritdoc/>
    public SigningKey Open(DomainName zone, KeyId id)
    {
        string path = PathOf(zone, id);
        if (!KeyFile.TryRead(path, out KeyFile? file, out TextFault? fault)) throw new IOException(fault.ToString());
        return file.Key
            ?? throw new IOException(
                $"{path}{KeyFile.PrivateExtension}: there is no such file, and the key is to sign: "
                + "expected it back from a backup" + (file.Public.IsSep ? ReturnKsks : ""));
    }

    /// <summary>The files of a key without extension.</summary>
    public string PathOf(DomainName zone, KeyId id) =>
        Path.Combine(Folder, KeyFile.BaseNameOf(zone, id.Algorithm, id.Tag));

    internal static KeyId IdOf(KeyFile file) => new(file.Public.Algorithm, file.Public.Tag);

    private ZoneKeys Adopt(DomainName zone)
    {
        List<KeyFile> found = ReadAll(zone);
        try
        {
            return KeyAdoption.Adopt(found, now());
        }
        finally
        {
            found.ForEach(file => file.Dispose());
        }
    }

    /// <summary>A key never used, imported or left by a crash before the state named it; null if none.</summary>
    private KeyId? FindSpare(DomainName zone, KeyNeed need, ZoneKeys keys)
    {
        DeleteRemnants(zone);
        HashSet<string> known = [.. keys.Keys.Select(
            key => KeyFile.BaseNameOf(zone, key.Id.Algorithm, key.Id.Tag) + KeyFile.PublicExtension)];
        foreach (string name in NamesOf(zone, KeyFile.PublicExtension))
        {
            if (known.Contains(name)) continue;
            using KeyFile file = Read(name);
            if (file is { Key: not null, Public.IsRevoked: false, Times: { Inactive: null, Delete: null } }
                && file.Public.Algorithm == need.Algorithm && file.Public.IsSep == need.Role.SignsKeys()
                && keys.Find(IdOf(file)) is null)
                return IdOf(file);
        }
        return null;
    }
}
