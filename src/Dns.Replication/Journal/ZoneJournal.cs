using System.Buffers;
using System.Security.Cryptography;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// The changes of one zone since a version that is kept elsewhere: an append-only file of <see cref="ZoneDelta"/>s, in which each is on
/// disk when <see cref="Append(ZoneDelta, JournalBase?)"/> returns. There is no file before the first change.
/// </summary>
/// <remarks>
/// Thread-safe; the file is open only while something reads or writes it, so that 100,000 journals need no more handles than are at
/// work. <see cref="JournalFormat"/> draws the octets. Memory: some octets for each change.
/// </remarks>
public sealed partial class ZoneJournal
{
    private readonly Lock _lock = new();
    private readonly JournalOptions _options;
    private readonly IJournalFiles _files;
    private readonly List<Entry> _entries = [];
    private readonly List<JournalMark> _marks = [];

    // Length of what is good, and the CRC that the next entry goes on from. 0 = there is no file.
    private long _length;
    private uint _crc;

    // An append that failed may have left octets behind what is good.
    private bool _isSoiled;

    private ZoneJournal(string path, DomainName zone, JournalOptions options, IJournalFiles files) =>
        (Path, Zone, _options, _files) = (path, zone, options, files);

    /// <summary>A change: where its body is, and the serials before and after it.</summary>
    private readonly record struct Entry(long Position, int Octets, uint SerialFrom, uint SerialTo);

    /// <summary>The file.</summary>
    public string Path { get; }

    /// <summary>The zone's name.</summary>
    public DomainName Zone { get; }

    /// <summary>What was lost when it was opened; null if nothing was.</summary>
    public JournalLoss? Loss { get; private set; }

    /// <summary>The version that the first change starts from; null as long as there is no file.</summary>
    public JournalBase? Base { get; private set; }

    /// <summary>How many changes there are.</summary>
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

    /// <summary>The serial after the last change; null if there is none.</summary>
    public uint? Serial
    {
        get
        {
            lock (_lock) return _entries is [.., var last] ? last.SerialTo : null;
        }
    }

    /// <summary>Whether it has become so large that it should be compacted, or emptied behind a whole copy of the zone.</summary>
    public bool NeedsCompaction => Octets >= _options.CompactionOctets;

    /// <summary>The version that it starts from and those that were written out since, oldest first.</summary>
    public IReadOnlyList<JournalMark> Marks
    {
        get
        {
            lock (_lock) return Base is { } from ? [new JournalMark(from, 0), .. _marks] : [];
        }
    }

    /// <summary>Opens the journal of a zone. An end that cannot be read is cut off, and told as <see cref="Loss"/>.</summary>
    /// <param name="path">The file; there need be none.</param>
    /// <param name="zone">The zone's name.</param>
    /// <param name="options">How large it may become; null = the defaults.</param>
    /// <param name="files">The file system; null = the disk.</param>
    /// <exception cref="JournalException">The file is no journal of this zone in this version's format. It is left as it is.</exception>
    /// <exception cref="IOException">The file cannot be read, or not be cut.</exception>
    public static ZoneJournal Open(string path, DomainName zone, JournalOptions? options = null, IJournalFiles? files = null)
    {
        ZoneJournal journal = new(path, zone, options ?? JournalOptions.Default, files ?? new DiskFiles());
        journal.ReadFile();
        return journal;
    }

    /// <summary>A number of changes, for people: <c>1 change</c>, <c>2 changes</c>.</summary>
    internal static string CountOf(int changes) => changes == 1 ? "1 change" : $"{changes} changes";

    /// <summary>Whether another process has changed the file since it was read here.</summary>
    /// <exception cref="IOException">It cannot be looked at.</exception>
    public bool IsOutdated()
    {
        lock (_lock)
        {
            if (!_files.TryOpen(Path, out IJournalFile? file)) return _length > 0;
            using (file) return !_isSoiled && file.Length != _length;
        }
    }

    /// <summary>Adds a change. It is on disk when this returns.</summary>
    /// <param name="delta">Starts from the serial that the last one ends at.</param>
    /// <param name="from">The version that it starts from, if it is the first; null = that of its serial.</param>
    /// <exception cref="IOException">It could not be written; nothing has changed.</exception>
    public void Append(ZoneDelta delta, JournalBase? from = null) => Append([delta], from);

    /// <summary>Adds changes with one flush for all: all of them are on disk when this returns, or none.</summary>
    /// <param name="deltas">Each starts from the serial that the one before it ends at.</param>
    /// <param name="from">The version that the first starts from, if there is none yet; null = that of its serial.</param>
    /// <exception cref="ArgumentException">The serials do not follow each other.</exception>
    /// <exception cref="IOException">They could not be written; nothing has changed.</exception>
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

    /// <summary>Notes that a version is about to be written out elsewhere: whoever finds it there needs only what follows.</summary>
    /// <param name="at">The version after the last change.</param>
    /// <exception cref="IOException">It could not be written; nothing has changed.</exception>
    public void AddMark(JournalBase at)
    {
        lock (_lock)
        {
            if (_length == 0) return;
            // Beyond the bound, too: it is how a journal that is full becomes short again.
            Extend((output, crc, _) => JournalFormat.WriteMark(output, crc, at), isBounded: false);
            _marks.Add(new JournalMark(at, _entries.Count));
        }
    }

    /// <summary>Reads changes in their order, one at a time.</summary>
    /// <param name="first">The number of the first.</param>
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

    /// <summary>Empties it: there is no file afterwards.</summary>
    /// <exception cref="IOException">It cannot be deleted.</exception>
    public void Reset()
    {
        lock (_lock)
        {
            _files.Delete(Path);
            Forget();
        }
    }

    /// <summary>Puts other changes in the place of those that there are, in one step.</summary>
    /// <param name="from">The version that the first starts from.</param>
    /// <param name="deltas">The changes; none = there is no file afterwards.</param>
    /// <exception cref="IOException">They could not be written; nothing has changed.</exception>
    public void Replace(JournalBase from, IReadOnlyList<ZoneDelta> deltas)
    {
        lock (_lock)
        {
            if (deltas.Count == 0) Reset();
            else Write(from, deltas);
        }
    }

    /// <summary>Leaves out the changes before a version that was written out elsewhere, and is on disk there.</summary>
    /// <param name="at">The version, of <see cref="Marks"/>; another is an error of the caller.</param>
    /// <exception cref="IOException">It could not be written; nothing has changed.</exception>
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
                throw new ArgumentException($"found a change of serial {delta.SerialFrom}, expected one of {expected}", nameof(deltas));
            serial = delta.SerialTo;
        }
    }

    /// <summary>Writes a whole file beside the one that there is, and puts it in its place.</summary>
    private void Write(JournalBase from, IReadOnlyList<ZoneDelta> deltas)
    {
        ArrayBufferWriter<byte> output = new();
        List<Entry> entries = [];
        uint crc = EncodeAll(output, JournalFormat.WriteHeader(output, Zone, from), deltas, entries, 0);
        RequireRoom(output.WrittenCount);
        string aside = $"{Path}.{RandomNumberGenerator.GetHexString(16, lowercase: true)}";
        try
        {
            using (IJournalFile file = _files.Create(aside))
            {
                file.Write(0, output.WrittenSpan);
                file.Flush();
            }
            _files.Move(aside, Path);
        }
        catch (IOException)
        {
            DeleteQuietly(aside);
            // It may have got its name, and not be told so.
            if (_length == 0) DeleteQuietly(Path);
            throw;
        }
        Forget();
        (Base, _length, _crc) = (from, output.WrittenCount, crc);
        _entries.AddRange(entries);
    }

    /// <summary>Writes behind what there is.</summary>
    private void Extend(Func<ArrayBufferWriter<byte>, uint, List<Entry>, uint> encode, bool isBounded = true)
    {
        ArrayBufferWriter<byte> output = new();
        List<Entry> entries = [];
        uint crc = encode(output, _crc, entries);
        if (isBounded) RequireRoom(_length + output.WrittenCount);
        if (!_files.TryOpen(Path, out IJournalFile? file)) throw Changed("it is gone");
        using (file)
        {
            if (_isSoiled) Restore(file);
            if (file.Length != _length) throw Changed($"found {file.Length} octets, expected {_length}");
            try
            {
                file.Write(_length, output.WrittenSpan);
                file.Flush();
            }
            catch (IOException)
            {
                _isSoiled = true;
                RestoreQuietly(file);
                throw;
            }
        }
        _entries.AddRange(entries);
        (_length, _crc) = (_length + output.WrittenCount, crc);
    }

    private uint EncodeAll(ArrayBufferWriter<byte> output, uint crc, IReadOnlyList<ZoneDelta> deltas, List<Entry> entries, long start)
    {
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

    private void RequireRoom(long octets)
    {
        if (octets > _options.MaxOctets) throw Full($"it would have {octets} octets, and may have {_options.MaxOctets}");
    }

    /// <summary>Cuts off what an append that failed has left.</summary>
    private void Restore(IJournalFile file)
    {
        if (file.Length < _length) throw Changed($"found {file.Length} octets, expected {_length}");
        file.SetLength(_length);
        file.Flush();
        _isSoiled = false;
    }

    private void RestoreQuietly(IJournalFile file)
    {
        try
        {
            Restore(file);
        }
        catch (IOException)
        {
            // The next append tries again before it writes.
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
            // The fault that led here is told.
        }
    }

    private void Forget()
    {
        _entries.Clear();
        _marks.Clear();
        (Base, _length, _crc, _isSoiled) = (null, 0, 0, false);
    }

    private JournalException Changed(string what) =>
        new(JournalFault.Changed, $"{Path}: another process has changed it: {what}");

    private JournalException Full(string what) => new(JournalFault.Full, $"{Path}: {what}");
}
