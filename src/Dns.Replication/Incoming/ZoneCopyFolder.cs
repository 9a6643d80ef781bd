using System.Collections.Concurrent;

namespace Dns.Replication.Incoming;

/// <summary>
/// Stores each zone as a whole copy, replaced atomically, and deltas in a <see cref="ZoneJournal"/> until they are as
/// long as the copy. A crash at any point leaves the old version or the new one.
/// </summary>
/// <param name="directory">The directory <c>zones</c> of the state directory; created on demand.</param>
public sealed class ZoneCopyFolder(string directory, IJournalFiles files) : IZoneCopies
{
    // With a dot it could be the update journal of a zone whose name ends in "copy".
    private const string JournalEnding = ".copy-journal";

    /// <summary>The end of the name of each copy.</summary>
    public const string CopyEnding = ".copy";

    /// <summary>Smaller journals are not folded into their copy: many small changes of a small zone.</summary>
    private const long LeastJournalOctets = 1 << 20;

    private readonly ConcurrentDictionary<DomainName, Kept> _kept = [];

    /// <summary>The known state of a zone's files.</summary>
    private sealed record Kept(JournalBase Base, long Octets, ZoneJournal Journal);

    /// <inheritdoc/>
    public bool TryLoad(
        DomainName zone, ZoneLimits limits, [NotNullWhen(true)] out ZoneCopy? copy, out CopyDamage? damage,
        CancellationToken cancellation)
    {
        copy = null;
        string path = PathOf(zone, CopyEnding);
        try
        {
            if (!files.TryOpen(path, out IJournalFile? file))
            {
                damage = null;
                return false;
            }
            JournalBase at;
            long octets;
            using (file)
            {
                octets = file.Length;
                if (!ZoneCopyReader.TryRead(file, zone, limits, out copy, out at, out damage, cancellation))
                {
                    damage = damage with { Path = path };
                    return false;
                }
            }
            damage = LoadJournal(zone, limits, at, octets, ref copy);
            return true;
        }
        catch (IOException error)
        {
            damage = new(CopyFault.Other, error.Message, path);
            return copy is not null;
        }
    }

    /// <summary>The latest readable serial of a damaged copy and its deltas; null if none.</summary>
    public uint? FindSerial(DomainName zone)
    {
        uint? serial = null;
        try
        {
            if (files.TryOpen(PathOf(zone, CopyEnding), out IJournalFile? file))
                using (file)
                    serial = FindBase(zone, file)?.Serial;
            ZoneJournal journal = ZoneJournal.Open(PathOf(zone, JournalEnding), zone, files: files);
            if ((journal.Serial ?? journal.Base?.Serial) is { } last &&
                (serial is not { } kept || SerialNumber.IsGreater(last, kept)))
                serial = last;
        }
        catch (IOException)
        {
            // Results of the first pass count.
        }
        return serial;
    }

    private static JournalBase? FindBase(DomainName zone, IJournalFile file)
    {
        byte[] header = new byte[ZoneCopyFormat.HeaderOctets(zone)];
        ReadOnlySpan<byte> read = header.AsSpan(0, file.Read(0, header));
        return ZoneCopyFormat.TryReadHeader(zone, read, out JournalBase at, out _) ? at : null;
    }

    /// <inheritdoc/>
    public void Save(ZoneCopy copy, IReadOnlyList<ZoneDelta> deltas)
    {
        DomainName zone = DomainName.FromOctets(copy.Zone.Apex);
        if (deltas.Count == 0 || !_kept.TryGetValue(zone, out Kept? kept) || !IsThere(zone, kept.Base) ||
            !TryAppend(kept, deltas))
        {
            SaveWhole(zone, copy);
            return;
        }
        try
        {
            SaveTimes(zone, copy.Times);
        }
        catch (IOException)
        {
            // The version is stored; its old times are earlier, which is safe.
        }
    }

    /// <inheritdoc/>
    public void SaveTimes(DomainName zone, in ZoneCopyTimes times)
    {
        if (!files.TryOpen(PathOf(zone, CopyEnding), out IJournalFile? file)) return;
        using (file) file.Write(ZoneCopyFormat.HeaderOctets(zone), ZoneCopyFormat.WriteTimes(times));
    }

    /// <inheritdoc/>
    public void Delete(DomainName zone)
    {
        _kept.TryRemove(zone, out _);
        foreach (string ending in (string[])[CopyEnding, ".copy.new", JournalEnding]) TryDelete(PathOf(zone, ending));
    }

    /// <summary>Whether the copy is the known one: a process that this one replaces may have replaced it.</summary>
    private bool IsThere(DomainName zone, JournalBase known)
    {
        if (!files.TryOpen(PathOf(zone, CopyEnding), out IJournalFile? file)) return false;
        using (file) return FindBase(zone, file) == known;
    }

    /// <summary>Appends deltas to the journal; false if the zone must be stored whole: it exceeds the copy.</summary>
    private static bool TryAppend(Kept kept, IReadOnlyList<ZoneDelta> deltas)
    {
        ZoneJournal journal = kept.Journal;
        bool isBehind = journal.Base == kept.Base;
        uint serial = isBehind ? journal.Serial ?? kept.Base.Serial : kept.Base.Serial;
        if (deltas[0].SerialFrom != serial || isBehind && journal.Octets > Math.Max(LeastJournalOctets, kept.Octets))
            return false;
        try
        {
            if (isBehind) journal.Append(deltas);
            // The journal belongs to an older copy and could not be deleted, or there is none.
            else journal.Replace(kept.Base, deltas);
            return true;
        }
        catch (JournalException error) when (error.Fault is JournalFault.Full or JournalFault.Changed)
        {
            return false;
        }
    }

    private void SaveWhole(DomainName zone, ZoneCopy copy)
    {
        string path = PathOf(zone, CopyEnding), aside = PathOf(zone, ".copy.new");
        JournalBase at = ZoneCopyFormat.NewBase(copy.Zone);
        long octets;
        try
        {
            files.Delete(aside);
            using (IJournalFile file = files.Create(aside)) octets = ZoneCopyWriter.Write(file, zone, copy, at);
            files.Move(aside, path);
        }
        catch (IOException)
        {
            TryDelete(aside);
            throw;
        }
        // A leftover journal has another base and is not read.
        _kept.TryRemove(zone, out _);
        try
        {
            ZoneJournal journal = OpenJournal(zone, out _);
            journal.Reset();
            _kept[zone] = new Kept(at, octets, journal);
        }
        catch (IOException)
        {
            // The version is stored. The next one is stored whole, too.
        }
    }

    /// <summary>Applies the journal behind the copy; returns the damage, null for none.</summary>
    private CopyDamage? LoadJournal(
        DomainName zone, ZoneLimits limits, JournalBase at, long octets, ref ZoneCopy copy)
    {
        ZoneJournal journal = OpenJournal(zone, out CopyDamage? damage);
        _kept[zone] = new Kept(at, octets, journal);
        if (journal.Base != at) return damage;
        if (journal.Loss is { } loss) damage = new(CopyFault.Other, loss, journal.Path);
        DeltaReplay replay = new(copy.Zone, limits, ZoneHistory.DefaultMaxBytes);
        if (!replay.TryApply(journal.Read(), out ZoneEditError? error))
        {
            // The next version is stored whole.
            _kept.TryRemove(zone, out _);
            damage = new(CopyFault.Other, error.Message, journal.Path);
        }
        copy = new ZoneCopy(replay.Zone, copy.Times) { Deltas = replay.Deltas };
        return damage;
    }

    /// <summary>Opens the journal of a zone; an invalid one is deleted, since the primary has the data.</summary>
    private ZoneJournal OpenJournal(DomainName zone, out CopyDamage? damage)
    {
        string path = PathOf(zone, JournalEnding);
        damage = null;
        try
        {
            return ZoneJournal.Open(path, zone, files: files);
        }
        catch (JournalException error)
        {
            damage = new(CopyFault.Other, error.Message);
            files.Delete(path);
            return ZoneJournal.Open(path, zone, files: files);
        }
    }

    private void TryDelete(string path)
    {
        try
        {
            files.Delete(path);
        }
        catch (IOException)
        {
            // The next copy overwrites it, and no journal with another base is used.
        }
    }

    /// <summary>The name of the file with the copy of a zone.</summary>
    public static string FileOf(DomainName zone) => ZoneFileNames.Of(zone) + CopyEnding;

    private string PathOf(DomainName zone, string ending) => Path.Join(directory, ZoneFileNames.Of(zone) + ending);
}
