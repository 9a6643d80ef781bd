using Dns.Protocol;

namespace Dns.Zones;

/// <summary>Makes a zone of a master file.</summary>
public static class ZoneLoader
{
    // About what is read in a fifth of a second.
    private const long ProgressRecords = 1 << 20;
    private const long CancellationMask = (1 << 14) - 1;

    /// <summary>Reads, checks and builds a zone. Safe to call on many threads at once, each with its own file.</summary>
    /// <param name="apex">The name of the zone, and the origin until the first <c>$ORIGIN</c>.</param>
    /// <param name="file">The master file. It is read a second time if line numbers of findings are needed.</param>
    /// <param name="progress">Receives the number of records read, about once a million; null = none.</param>
    /// <param name="cancellation">Looked at every few thousand records.</param>
    /// <param name="allowsPipe">Whether the file may be a pipe or a device, which may block for any time.</param>
    /// <param name="limits">How large a name may be; null = <see cref="ZoneLimits.Default"/>.</param>
    /// <param name="served">
    /// The version that is served. Where few records differ, the zone is made of it, and is it where none does; null = of nothing.
    /// </param>
    /// <returns>The zone or the errors. A file that cannot be read is an error on its line 0.</returns>
    /// <exception cref="OperationCanceledException">Reading was cancelled.</exception>
    public static ZoneLoadResult Load(
        DomainName apex, string file, IProgress<long>? progress = null, CancellationToken cancellation = default,
        bool allowsPipe = false, ZoneLimits? limits = null, Zone? served = null)
    {
        var log = new DiagnosticLog();
        if (!MasterFileReader.TryOpen(apex.Octets, file, log, out MasterFileReader? reader, allowsPipe))
            return new ZoneLoadResult(null, log, 0);
        using (reader)
        {
            var assembler = new ZoneAssembler(apex, log, () => reader.PartRead, limits ?? ZoneLimits.Default);
            long count = 0;
            while (reader.Read())
            {
                assembler.Take(reader);
                if ((++count & CancellationMask) != 0) continue;
                cancellation.ThrowIfCancellationRequested();
                if ((count & (ProgressRecords - 1)) == 0) progress?.Report(count);
            }
            Zone? zone = assembler.Finish(file);
            ZoneDelta? delta = null;
            if (zone is not null && served is not null)
                zone = ZoneSuccession.Next(served, zone, limits ?? ZoneLimits.Default, out delta);
            return new ZoneLoadResult(zone, log, count) { Delta = delta };
        }
    }
}
