using System.Buffers;
using System.Security.Cryptography;

namespace Dns.Replication.Journal;

/// <summary>
/// The changes of one zone since a version stored elsewhere: an append-only file in <see cref="JournalFormat"/>. Each
/// is on disk when <see cref="Append(ZoneDelta, JournalBase?)"/> returns. There is no file before the first change, and
/// it is open only during an operation, so that 100,000 journals need few handles. Memory: some bytes for each change.
/// Thread-safe.
/// </summary>
public sealed partial class ZoneJournal
{
    private readonly Lock _lock = new();
    private readonly JournalOptions _options;
    private readonly IJournalFiles _files;
    private readonly List<Entry> _entries = [];
    private readonly List<JournalMark> _marks = [];

    // The length of the intact part, and the CRC to continue from. 0 = there is no file.
    private long _length;
    private uint _crc;

    // Behind the intact part are octets of a failed append, or damaged ones.
    private bool _isDirty;

    // The length with an incomplete end at opening; null for none, or after a write.
    private long? _tornLength;

    private bool IsDamaged => _isDirty && Loss is { IsTorn: false };

    private ZoneJournal(string path, DomainName zone, JournalOptions options, IJournalFiles files) =>
        (Path, Zone, _options, _files) = (path, zone, options, files);

    /// <summary>A change: the position of its body, and its serials.</summary>
    private readonly record struct Entry(long Position, int Octets, uint SerialFrom, uint SerialTo);

    /// <summary>The file.</summary>
    public string Path { get; }

    /// <summary>The zone's name.</summary>
    public DomainName Zone { get; }

    /// <summary>What was lost at opening; null for nothing.</summary>
    public JournalLoss? Loss { get; private set; }

    /// <summary>The version that the first change starts from; null without a file.</summary>
    public JournalBase? Base { get; private set; }

    /// <summary>The number of changes.</summary>
    public int Count
    {
        get
        {
            lock (_lock) return _entries.Count;
        }
    }

    /// <summary>Length of the file; 0 if there is none.</summary>
    public long Octets
    {
        get
        {
            lock (_lock) return _length;
        }
    }

    /// <summary>The serial after the last change; null for none.</summary>
    public uint? Serial
    {
        get
        {
            lock (_lock) return _entries is [.., var last] ? last.SerialTo : null;
        }
    }

    /// <summary>Whether it should be compacted, or emptied after a whole copy of the zone is saved.</summary>
    public bool NeedsCompaction => Octets >= _options.CompactionOctets;

    /// <summary>The base and the versions written out since, oldest first.</summary>
    public IReadOnlyList<JournalMark> Marks
    {
        get
        {
            lock (_lock) return Base is { } from ? [new JournalMark(from, 0), .. _marks] : [];
        }
    }

    /// <summary>
    /// Opens the journal of a zone. An unreadable end is reported as <see cref="Loss"/>: it is removed by the next
    /// write, and a damaged one is copied before. Until then each opening reports it.
    /// </summary>
    /// <param name="path">The file, which need not exist.</param>
    /// <param name="options">Limits; null = the defaults.</param>
    /// <param name="files">The file system; null = the disk.</param>
    /// <exception cref="JournalException">Not a journal of this zone in this format; left unchanged.</exception>
    /// <exception cref="IOException">The file cannot be read, or the damaged octets not be copied.</exception>
    public static ZoneJournal Open(string path, DomainName zone, JournalOptions? options = null,
        IJournalFiles? files = null)
    {
        ZoneJournal journal = new(path, zone, options ?? JournalOptions.Default, files ?? new DiskFiles());
        journal.ReadFile();
        return journal;
    }

    /// <summary>A number of changes as text: <c>1 change</c>, <c>2 changes</c>.</summary>
    internal static string CountOf(int changes) => changes == 1 ? "1 change" : $"{changes} changes";

    /// <summary>Appends a change. It is on disk on return.</summary>
    /// <param name="delta">Starts from the serial that the last one ends at.</param>
    /// <param name="from">The base, if this is the first change; null = that of its serial.</param>
    /// <exception cref="IOException">The write failed; nothing has changed.</exception>
    public void Append(ZoneDelta delta, JournalBase? from = null) => Append([delta], from);

    /// <summary>Appends changes with one flush: on return all are on disk, or none.</summary>
    /// <param name="deltas">Each starts from the serial that the one before it ends at.</param>
    /// <param name="from">The base, if these are the first changes; null = that of the first serial.</param>
    /// <exception cref="ArgumentException">The serials do not follow each other.</exception>
    /// <exception cref="IOException">The write failed; nothing has changed.</exception>
    public void Append(IReadOnlyList<ZoneDelta> deltas, JournalBase? from = null)
    {
        if (deltas.Count == 0) return;
        lock (_lock)
        {
            RequireChain(deltas);
            if (_length == 0 && _files.Exists(Path)) throw Changed("it is there, and was not");
            if (_length == 0) Write(from ?? new JournalBase(deltas[0].SerialFrom, 0), deltas);
            else Extend((output, crc, entries) => EncodeAll(output, crc, deltas, entries, _length));
        }
    }

    /// <summary>Marks a version about to be written elsewhere, after which only later changes are needed.</summary>
    /// <param name="at">The version after the last change.</param>
    /// <exception cref="IOException">The write failed; nothing has changed.</exception>
    public void AddMark(JournalBase at)
    {
        lock (_lock)
        {
            if (_length == 0) return;
            // Permitted beyond the maximum: the mark is what lets a full journal shrink.
            Extend((output, crc, _) => JournalFormat.WriteMark(output, crc, at));
            _marks.Add(new JournalMark(at, _entries.Count));
        }
    }

    /// <summary>Reads changes in order, one at a time, from an index on.</summary>
    /// <exception cref="IOException">The file cannot be read any more.</exception>
    public IEnumerable<ZoneDelta> Read(int first = 0)
    {
        Entry[] entries;
        IJournalFile? file;
        lock (_lock)
        {
            if (first >= _entries.Count) yield break;
            entries = [.. _entries[first..]];
            if (!_files.TryOpen(Path, out file)) throw Changed("it is gone");
        }
        using (file)
        {
            foreach (Entry entry in entries)
            {
                byte[] body = new byte[entry.Octets];
                bool isRead = file.Read(entry.Position, body) == body.Length;
                if (!isRead || !JournalFormat.TryReadChanges(Zone, body, out ZoneDelta? delta))
                {
                    throw new JournalException(
                        JournalFault.Damaged, $"{Path}: the change at octet {entry.Position} cannot be read any more");
                }
                yield return delta;
            }
        }
    }

    /// <summary>Deletes the file.</summary>
    /// <exception cref="IOException">It cannot be deleted.</exception>
    public void Reset()
    {
        lock (_lock)
        {
            _files.Delete(Path);
            Forget();
        }
    }

    /// <summary>Replaces all changes atomically.</summary>
    /// <param name="deltas">The changes; none = deletes the file.</param>
    /// <exception cref="IOException">The write failed; nothing has changed.</exception>
    public void Replace(JournalBase from, IReadOnlyList<ZoneDelta> deltas)
    {
        lock (_lock)
        {
            if (deltas.Count == 0) Reset();
            else Write(from, deltas);
        }
    }

    /// <summary>Removes the changes before a version that was written out and is on disk.</summary>
    /// <param name="at">The version, one of <see cref="Marks"/>.</param>
    /// <exception cref="IOException">The write failed; nothing has changed.</exception>
    public void StartFrom(JournalBase at)
    {
        lock (_lock)
        {
            int index = Marks.Last(mark => mark.Base == at).Index;
            if (index < _entries.Count) Replace(at, [.. Read(index)]);
            else Reset();
        }
    }

    private void RequireChain(IReadOnlyList<ZoneDelta> deltas)
    {
        uint? serial = _entries is [.., var last] ? last.SerialTo : null;
        foreach (ZoneDelta delta in deltas)
        {
            if (serial is { } expected && delta.SerialFrom != expected)
                throw new ArgumentException($"found a change of serial {delta.SerialFrom}, expected one of {expected}",
                    nameof(deltas));
            serial = delta.SerialTo;
        }
    }

    /// <summary>Writes a whole file, and renames it into place.</summary>
    private void Write(JournalBase from, IReadOnlyList<ZoneDelta> deltas)
    {
        ArrayBufferWriter<byte> output = new();
        List<Entry> entries = [];
        uint crc = EncodeAll(output, JournalFormat.WriteHeader(output, Zone, from), deltas, entries, 0);
        WriteWhole(file => file.Write(0, output.WrittenSpan));
        Forget();
        (Base, _length, _crc) = (from, output.WrittenCount, crc);
        _entries.AddRange(entries);
    }

    private void WriteWhole(Action<IJournalFile> write)
    {
        string aside = $"{Path}.{RandomNumberGenerator.GetHexString(16, lowercase: true)}";
        try
        {
            using (IJournalFile file = _files.Create(aside))
            {
                write(file);
                file.Flush();
            }
            _files.Move(aside, Path);
        }
        catch (IOException error)
        {
            DeleteQuietly(aside);
            // The rename may have happened in spite of the error.
            if (_length == 0) DeleteQuietly(Path);
            // With a random name, the same fault would be another message each time.
            if (!error.Message.Contains(aside, StringComparison.Ordinal)) throw;
            throw new IOException(error.Message.Replace(aside, Path, StringComparison.Ordinal), error);
        }
    }

    private void Extend(Func<ArrayBufferWriter<byte>, uint, List<Entry>, uint> encode)
    {
        ArrayBufferWriter<byte> output = new();
        List<Entry> entries = [];
        uint crc = encode(output, _crc, entries);
        if (IsDamaged) ReplaceDamage(output);
        else WriteEnd(output);
        _entries.AddRange(entries);
        (_length, _crc) = (_length + output.WrittenCount, crc);
    }

    private void WriteEnd(ArrayBufferWriter<byte> end)
    {
        if (!_files.TryOpen(Path, out IJournalFile? file)) throw Changed("it is gone");
        using (file)
        {
            if (_isDirty) Restore(file);
            if (file.Length != _length) throw Changed($"found {file.Length} octets, expected {_length}");
            try
            {
                file.Write(_length, end.WrittenSpan);
                file.Flush();
            }
            catch (IOException)
            {
                _isDirty = true;
                RestoreQuietly(file);
                throw;
            }
        }
    }

    private uint EncodeAll(ArrayBufferWriter<byte> output, uint crc, IReadOnlyList<ZoneDelta> deltas,
        List<Entry> entries, long start)
    {
        RequireRoom(start + output.WrittenCount, deltas);
        foreach (ZoneDelta delta in deltas)
        {
            long position = start + output.WrittenCount + JournalFormat.EntryFixedOctets;
            uint next = JournalFormat.WriteChanges(output, crc, delta, out bool fits);
            if (!fits) throw Full("a change of more than 1 GiB is not kept");
            int octets = (int)(start + output.WrittenCount - position);
            entries.Add(new Entry(position, octets, delta.SerialFrom, delta.SerialTo));
            crc = next;
        }
        return crc;
    }

    /// <summary>Before anything is encoded: changes may be longer than an array can be.</summary>
    private void RequireRoom(long octets, IReadOnlyList<ZoneDelta> deltas)
    {
        foreach (ZoneDelta delta in deltas) octets += JournalFormat.OctetsOf(delta);
        if (octets > _options.MaxOctets)
            throw Full($"it would have {octets} octets, and may have {_options.MaxOctets}");
    }

    /// <summary>Removes octets behind the intact part.</summary>
    private void Restore(IJournalFile file)
    {
        long expected = _tornLength ?? _length;
        if (_tornLength is null ? file.Length < expected : file.Length != expected)
            throw Changed($"found {file.Length} octets, expected {expected}");
        _tornLength = null;
        file.SetLength(_length);
        file.Flush();
        _isDirty = false;
    }

    private void RestoreQuietly(IJournalFile file)
    {
        try
        {
            Restore(file);
        }
        catch (IOException)
        {
            // The next append retries before it writes.
        }
    }

    private void DeleteQuietly(string aside)
    {
        try
        {
            _files.Delete(aside);
        }
        catch (IOException)
        {
            // The original error is reported.
        }
    }

    private void Forget()
    {
        _entries.Clear();
        _marks.Clear();
        (Base, _length, _crc, _isDirty, _tornLength) = (null, 0, 0, false, null);
    }

    private JournalException Changed(string what) =>
        new(JournalFault.Changed, $"{Path}: another process has changed it: {what}");

    private JournalException Full(string what) => new(JournalFault.Full, $"{Path}: {what}");
}
