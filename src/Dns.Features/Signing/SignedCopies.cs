namespace Dns.Features.Signing;

/// <summary>Saves signed versions in the format of secondary zones: a whole copy, followed by deltas.</summary>
public sealed class SignedCopies : ISignedZones
{
    // Contains the names of copies that may lack versions, a line each. Cannot be a zone's file: those end with .copy
    // or .copy-journal.
    private const string ClosedName = "closed";

    private readonly string _directory, _mark;
    private readonly IJournalFiles _files;
    private readonly ZoneLimits _limits;
    private readonly ZoneCopyFolder _folder;
    private readonly Lock _marking = new();
    // Files that may lack versions, as the start found them; null = any. Determined before anything is saved.
    private readonly Lazy<HashSet<string>?> _lacking;
    private readonly Lazy<HashSet<string>> _found;
    private bool _isOpen, _isHandedOver;

    /// <param name="directory">The directory <c>signed</c> of the state directory.</param>
    /// <param name="limits">The limits of their sources.</param>
    /// <param name="files">The file system; null = the real one, with a flush of each file.</param>
    public SignedCopies(string directory, ZoneLimits limits, IJournalFiles? files = null)
    {
        (_directory, _mark, _limits) = (directory, Path.Join(directory, ClosedName), SignedLimits.Of(limits));
        _files = files ?? new DiskFiles(DirectorySync.Flush);
        _folder = new ZoneCopyFolder(directory, _files);
        _lacking = new(TakeMark);
        _found = new(Find);
    }

    public bool MayLackVersions(DomainName zone) => MayLackVersions(ZoneCopyFolder.FileOf(zone));

    public bool Has(DomainName zone) =>
        _found.Value is { Count: > 0 } found && found.Contains(ZoneCopyFolder.FileOf(zone));

    public SavedVersion Load(DomainName zone, CancellationToken cancellation)
    {
        _ = _lacking.Value;
        _folder.TryLoad(zone, _limits, out ZoneCopy? copy, out CopyDamage? damage, cancellation);
        return new SavedVersion(
            copy?.Zone, copy?.Deltas ?? [], damage is null ? null : new SourceFailure(damage.ToString()));
    }

    public uint? FindSerial(DomainName zone) => _folder.FindSerial(zone);

    public void Save(Zone signed, IReadOnlyList<ZoneDelta> deltas) =>
        _folder.Save(new ZoneCopy(signed, default), deltas);

    public void Open()
    {
        _ = _lacking.Value;
        RemoveMark();
    }

    /// <summary>From now on another process saves versions here: this one leaves no mark when it ends.</summary>
    public void HandOver() => _isHandedOver = true;

    public void Close(IReadOnlyDictionary<DomainName, bool> areSaved)
    {
        // If nothing was ever read or saved, there is nothing to mark.
        if (!_lacking.IsValueCreated || !_isOpen || _isHandedOver || !Directory.Exists(_directory)) return;
        Dictionary<string, bool> known =
            areSaved.ToDictionary(zone => ZoneCopyFolder.FileOf(zone.Key), zone => zone.Value);
        try
        {
            IEnumerable<string> lacking = _files.List(_directory)
                .Where(file => file.EndsWith(ZoneCopyFolder.CopyEnding, StringComparison.Ordinal))
                .Where(file => known.TryGetValue(file, out bool isSaved) ? !isSaved : MayLackVersions(file));
            string aside = _mark + ".new";
            _files.Delete(aside);
            using (IJournalFile file = _files.Create(aside))
            {
                file.Write(0, Encoding.ASCII.GetBytes(string.Join('\n', lacking)));
                file.Flush();
            }
            _files.Move(aside, _mark);
        }
        catch (IOException)
        {
            // The next start uses higher serials than necessary.
        }
    }

    public void Delete(DomainName zone) => _folder.Delete(zone);

    private HashSet<string> Find()
    {
        try
        {
            return [.. _files.List(_directory)];
        }
        catch (IOException)
        {
            // Loading a zone reports it.
            return [];
        }
    }

    private bool MayLackVersions(string file) => _lacking.Value is not { } files || files.Contains(file);

    /// <summary>
    /// Removes the mark of a clean shutdown, if possible; returns the files it names, null if there was none.
    /// </summary>
    private HashSet<string>? TakeMark()
    {
        HashSet<string>? lacking = null;
        try
        {
            if (_files.TryOpen(_mark, out IJournalFile? mark))
                using (mark)
                {
                    byte[] names = new byte[mark.Length];
                    mark.Read(0, names);
                    lacking = [.. Encoding.ASCII.GetString(names).Split('\n')];
                }
            RemoveMark();
        }
        catch (IOException)
        {
            // Tried again before a version is served.
        }
        return lacking;
    }

    private void RemoveMark()
    {
        lock (_marking)
        {
            if (_isOpen) return;
            // Unlike a test for existence, this fails for a user without access.
            if (_files.TryOpen(_mark, out IJournalFile? file))
            {
                file.Dispose();
                _files.Delete(_mark);
            }
            _isOpen = true;
        }
    }
}
