namespace Dns.Server.Signing;

/// <summary>Saves signed versions in the format of secondary zones: a whole copy, followed by deltas.</summary>
/// <param name="directory">The directory <c>signed</c> of the state directory.</param>
internal sealed class SignedCopies(string directory, ZoneLimits limits) : ISignedZones
{
    // Cannot be a zone's file: those end with .copy or .copy-journal.
    private const string ClosedName = "closed";

    private readonly ZoneCopyFolder _folder = new(directory, new DiskFiles(DirectorySync.Flush));
    // Determined before anything is saved.
    private readonly Lazy<bool> _mayLackVersions = new(() => TakeMark(directory));
    private readonly Lazy<HashSet<string>> _found = new(() => Find(directory));

    public bool MayLackVersions => _mayLackVersions.Value;

    public bool Has(DomainName zone) =>
        _found.Value is { Count: > 0 } found && found.Contains(ZoneCopyFolder.FileOf(zone));

    public bool TryLoad(
        DomainName zone, [NotNullWhen(true)] out Zone? signed, out IReadOnlyList<ZoneDelta> deltas, out string? problem,
        CancellationToken cancellation)
    {
        _ = MayLackVersions;
        bool isThere = _folder.TryLoad(zone, limits, out ZoneCopy? copy, out problem, cancellation);
        signed = copy?.Zone;
        deltas = copy?.Deltas ?? [];
        return isThere;
    }

    public uint? FindSerial(DomainName zone) => _folder.FindSerial(zone);

    public void Save(Zone signed, IReadOnlyList<ZoneDelta> deltas) =>
        _folder.Save(new ZoneCopy(signed, default), deltas);

    public void Close()
    {
        // If nothing was ever read or saved, there is nothing to mark.
        if (!_mayLackVersions.IsValueCreated || !Directory.Exists(directory)) return;
        try
        {
            File.WriteAllBytes(Path.Join(directory, ClosedName), []);
            DirectorySync.Flush(directory);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next start uses higher serials than necessary.
        }
    }

    public void Delete(DomainName zone) => _folder.Delete(zone);

    private static HashSet<string> Find(string directory)
    {
        try
        {
            return [.. new DiskFiles().List(directory)];
        }
        catch (IOException)
        {
            // Loading a zone reports it.
            return [];
        }
    }

    /// <summary>Removes the mark of a clean shutdown. True if it is missing though there are copies.</summary>
    private static bool TakeMark(string directory)
    {
        try
        {
            string path = Path.Join(directory, ClosedName);
            bool isClosed = File.Exists(path);
            File.Delete(path);
            if (isClosed) DirectorySync.Flush(directory);
            return !isClosed;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }
}
