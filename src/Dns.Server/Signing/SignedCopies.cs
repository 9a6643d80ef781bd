using System.Diagnostics.CodeAnalysis;
using Dns.Dnssec;
using Dns.Protocol;
using Dns.Replication;
using Dns.Zones;

namespace Dns.Server;

/// <summary>Keeps signed versions as copies of zones from elsewhere are kept: whole, and behind it what has changed.</summary>
/// <param name="directory">The directory <c>signed</c> of the state directory.</param>
/// <param name="limits">How large a name may be.</param>
internal sealed class SignedCopies(string directory, ZoneLimits limits) : ISignedZones
{
    // Of a name that no zone's file has: those end with .copy or .copy-journal.
    private const string ClosedName = "closed";

    private readonly ZoneCopyFolder _folder = new(directory, new DiskFiles(DirectorySync.Flush));
    // Found before anything is kept.
    private readonly Lazy<bool> _mayLackVersions = new(() => TakeMark(directory));

    /// <inheritdoc/>
    public bool MayLackVersions => _mayLackVersions.Value;

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public uint? FindSerial(DomainName zone) => _folder.FindSerial(zone);

    /// <inheritdoc/>
    public void Save(Zone signed, IReadOnlyList<ZoneDelta> deltas) => _folder.Save(new ZoneCopy(signed, default), deltas);

    /// <inheritdoc/>
    public void Close()
    {
        // Where nothing was ever read or kept, nothing is to be noted.
        if (!_mayLackVersions.IsValueCreated || !Directory.Exists(directory)) return;
        try
        {
            File.WriteAllBytes(Path.Join(directory, ClosedName), []);
            DirectorySync.Flush(directory);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next start takes serials that are higher than needed.
        }
    }

    /// <inheritdoc/>
    public void Delete(DomainName zone) => _folder.Delete(zone);

    /// <summary>Takes away the mark of an orderly end. True if there is none though there are copies.</summary>
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
