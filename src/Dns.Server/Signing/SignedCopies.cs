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
    private readonly ZoneCopyFolder _folder = new(directory, new DiskFiles(DirectorySync.Flush));

    /// <inheritdoc/>
    public bool TryLoad(
        DomainName zone, [NotNullWhen(true)] out Zone? signed, out IReadOnlyList<ZoneDelta> deltas, out string? problem,
        CancellationToken cancellation)
    {
        bool isThere = _folder.TryLoad(zone, limits, out ZoneCopy? copy, out problem, cancellation);
        signed = copy?.Zone;
        deltas = copy?.Deltas ?? [];
        return isThere;
    }

    /// <inheritdoc/>
    public void Save(Zone signed, IReadOnlyList<ZoneDelta> deltas) => _folder.Save(new ZoneCopy(signed, default), deltas);

    /// <inheritdoc/>
    public void Delete(DomainName zone) => _folder.Delete(zone);
}
