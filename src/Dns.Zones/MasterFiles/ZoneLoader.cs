namespace Dns.Zones.MasterFiles;

/// <summary>Loads a zone from a master file.</summary>
public static class ZoneLoader
{
    // About a fifth of a second of reading.
    private const long ProgressRecords = 1 << 20;
    private const long CancellationMask = (1 << 14) - 1;

    /// <summary>Reads, checks and builds a zone. Thread-safe for different files.</summary>
    /// <param name="apex">The name of the zone, and the origin until the first <c>$ORIGIN</c>.</param>
    /// <param name="file">The master file. It is read again if diagnostics need line numbers.</param>
    /// <param name="progress">Receives the number of records read, about once a million; null = none.</param>
    /// <param name="cancellation">Checked every few thousand records.</param>
    /// <param name="ofCommand">Whether a command reads its own file: a pipe or a device is accepted, which may block
    /// forever, and messages show text of private files.</param>
    /// <param name="limits">Limits of a name; null = <see cref="ZoneLimits.Default"/>.</param>
    /// <param name="served">The served version. If few records differ, the result is derived from it; without a
    /// difference it is the result. Null = none.</param>
    /// <returns>The zone or the errors. An unreadable file is an error on line 0.</returns>
    /// <exception cref="OperationCanceledException">Reading was cancelled.</exception>
    public static ZoneLoadResult Load(
        DomainName apex, string file, IProgress<long>? progress = null, CancellationToken cancellation = default,
        bool ofCommand = false, ZoneLimits? limits = null, Zone? served = null)
    {
        var log = new DiagnosticLog(showsAll: ofCommand);
        if (!MasterFileReader.TryOpen(apex.Octets, file, log, out MasterFileReader? reader, ofCommand))
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
