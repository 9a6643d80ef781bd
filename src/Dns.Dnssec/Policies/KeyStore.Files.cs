using System.Collections.Frozen;

namespace Dns.Dnssec.Policies;

/// <content>The key files of a zone.</content>
public sealed partial class KeyStore
{
    private const UnixFileMode OfOthers = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    /// <summary>Key files of a zone that others than the owner can access: the file, and the expected mode.</summary>
    public IReadOnlyList<string> FindOpen(DomainName zone) =>
        FindOpen(NamesOf(zone, KeyFile.PrivateExtension).Select(name => Path.Combine(Folder, name)));

    /// <inheritdoc/>
    public IReadOnlyList<string> FindOpen(DomainName zone, ZoneKeys keys)
    {
        List<string> open = FindOpen(keys.Keys.Select(key => PathOf(zone, key.Id) + KeyFile.PrivateExtension));
        if (keys.Policy is not { OfflineKsk: true }) return open;
        foreach (KeyRecord key in keys.Keys)
        {
            string path = PathOf(zone, key.Id) + KeyFile.PrivateExtension;
            if (key is { Role: KeyRole.Ksk, IsRemoved: false } && _files.Exists(path))
                open.Add($"{path}: the private key of an offline KSK is on this server: "
                    + "move it to the machine that signs requests");
        }
        return open;
    }

    private List<string> FindOpen(IEnumerable<string> privateKeys)
    {
        List<string> open = [];
        if (OperatingSystem.IsWindows() || !Directory.Exists(Folder)) return open;
        if (IsOpen(Folder)) open.Add($"{Folder}: others than its owner can get at it: expected mode 0700");
        foreach (string path in privateKeys)
            if (IsOpen(path)) open.Add($"{path}: others than its owner can get at the private key: expected mode 0600");
        return open;
    }

    private static bool IsOpen(string path)
    {
        try
        {
            return !OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & OfOthers) != 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // A file deleted meanwhile is not readable.
            return false;
        }
    }

    /// <summary>The zones whose parent may have a DS RRset, by saved state; a zone without a state has none.</summary>
    public IEnumerable<DomainName> FindDelegated(IEnumerable<DomainName> zones)
    {
        if (FindFault(out IReadOnlySet<string> states) is not null || states.Count == 0) yield break;
        foreach (DomainName zone in zones)
            if (states.Contains(ZoneFileNames.Of(zone) + StateExtension) && MayHaveDs(zone)) yield return zone;
    }

    /// <summary>Why the folder cannot be read; null if it can, or there is none.</summary>
    public string? FindFault() => FindFault(out _);

    // The zones that are to be signed report it; others are no concern of the folder.
    private string? FindFault(out IReadOnlySet<string> states)
    {
        states = FrozenSet<string>.Empty;
        try
        {
            states = Index.States();
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error.Message;
        }
    }

    private bool MayHaveDs(DomainName zone)
    {
        try
        {
            return Load(zone) is { MayHaveDs: true } keys && keys.Keys.Any(key => !key.IsRemoved);
        }
        catch (IOException)
        {
            return false; // Unknown, and not used for signing.
        }
    }

    // The plus sign ends the zone's name, so that no longer name matches.
    private IReadOnlyList<string> NamesOf(DomainName zone, string extension) =>
        Index.Find(KeyFile.BaseNameOf(zone, 0, 0).Split('+')[0] + "+", extension);

    /// <summary>Reads all keys of a zone; the caller disposes them. Deletes remnants of a crash.</summary>
    private List<KeyFile> ReadAll(DomainName zone)
    {
        DeleteRemnants(zone);
        List<KeyFile> found = [];
        try
        {
            foreach (string name in NamesOf(zone, KeyFile.PublicExtension)) found.Add(Read(name));
            return found;
        }
        catch (IOException)
        {
            found.ForEach(read => read.Dispose());
            throw;
        }
    }

    private KeyFile Read(string name) =>
        KeyFile.TryRead(Path.Combine(Folder, name), out KeyFile? file, out TextFault? fault)
            ? file : throw new IOException(fault.ToString());

    private string? ReadText(string path, int mostOctets)
    {
        if (!_files.TryOpen(path, out IJournalFile? file)) return null;
        using (file)
        {
            byte[] octets = new byte[Math.Min(file.Length, mostOctets)];
            return Encoding.UTF8.GetString(octets, 0, file.Read(0, octets));
        }
    }

    private void DeleteRemnants(DomainName zone)
    {
        foreach (string name in NamesOf(zone, DurableFile.TemporaryExtension)) Delete(name);
    }

    private void Delete(string name)
    {
        _files.Delete(Path.Combine(Folder, name));
        Index.Remove(name);
    }

    /// <summary>A missing key that may be in use: continuing without it could break the zone.</summary>
    private void ThrowIfLost(DomainName zone, ZoneKeys keys)
    {
        foreach (KeyRecord key in keys.Keys)
        {
            string path = PathOf(zone, key.Id) + KeyFile.PublicExtension;
            if (!key.IsRemoved && !_files.Exists(path))
                throw new IOException(
                    $"{path}: there is no such file, and the key is in use: expected it back from a copy");
        }
    }

    /// <summary>Deletes the files of keys that the state on disk names but the next one does not.</summary>
    private void Purge(DomainName zone, ZoneKeys next)
    {
        if (ReadText(StatePathOf(zone), MaxStateOctets) is not { } text
            || !KeyStateText.TryRead(text, out ZoneKeys? before, out _)) return;
        foreach (KeyRecord key in before.Keys)
        {
            if (next.Find(key.Id) is not null || !key.IsRemoved) continue;
            // The record first: without it the private file is ignored.
            string name = Path.GetFileName(PathOf(zone, key.Id));
            Delete(name + KeyFile.PublicExtension);
            Delete(name + KeyFile.PrivateExtension);
        }
    }

    /// <summary>Writes a key's times into its files, for other programs and to recover a lost state.</summary>
    private void WriteTimes(DomainName zone, KeyRecord key)
    {
        if (!KeyFile.TryRead(PathOf(zone, key.Id), out KeyFile? file, out _)) return;
        using (file)
        {
            KeyTimes times = file.Times with
            {
                Publish = Seconds(key.Published) ?? file.Times.Publish,
                Activate = Seconds(key.Activated) ?? file.Times.Activate,
                Inactive = Seconds(key.Retired) ?? file.Times.Inactive,
                Delete = Seconds(key.Removed) ?? file.Times.Delete,
            };
            if (times == file.Times) return;
            try
            {
                file.With(times).Write(Folder, _files);
            }
            catch (IOException)
            {
                // The state on disk has the times too; the next change writes them again.
            }
        }
    }

    private static DateTimeOffset? Seconds(DateTimeOffset? time) =>
        time is { } there ? DateTimeOffset.FromUnixTimeSeconds(there.ToUnixTimeSeconds()) : null;
}
