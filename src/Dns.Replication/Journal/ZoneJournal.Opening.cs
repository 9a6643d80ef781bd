namespace Dns.Replication.Journal;

/// <content>Reading a file, and removing an unreadable end.</content>
public sealed partial class ZoneJournal
{
    /// <summary>The extension of the file with damaged octets.</summary>
    public const string DamagedEnding = ".damaged";

    private const int ChunkOctets = 1 << 16;
    private const int SectorOctets = 512;

    private enum EntryState
    {
        Good,
        Torn,
        Damaged,
    }

    private void ReadFile()
    {
        if (!_files.TryOpen(Path, out IJournalFile? file)) return;
        using (file)
        {
            long octets = file.Length;
            if (octets == 0)
            {
                file.Dispose();
                _files.Delete(Path);
                return;
            }
            if (!TryReadHeader(file, octets)) return;
            while (_length < octets)
            {
                EntryState state = ReadEntry(file, octets);
                if (state == EntryState.Good) continue;
                Cut(file, octets, state == EntryState.Torn);
                return;
            }
        }
    }

    /// <returns>False if the header is incomplete.</returns>
    private bool TryReadHeader(IJournalFile file, long octets)
    {
        byte[] header = new byte[Math.Min(octets, JournalFormat.MaxHeaderOctets)];
        header = header[..file.Read(0, header)];
        ReadOnlySpan<byte> magic = JournalFormat.Magic;
        if (!header.AsSpan(0, Math.Min(header.Length, magic.Length))
            .SequenceEqual(magic[..Math.Min(header.Length, magic.Length)]))
            throw Foreign("found another kind of file, expected a journal of dnsd");
        if (header.Length > magic.Length && header[magic.Length] != JournalFormat.Version)
            throw Foreign($"found version {header[magic.Length]} of the format, expected {JournalFormat.Version}");
        bool hasLength = header.Length > magic.Length + 1;
        if (hasLength && header[magic.Length + 1] != Zone.Octets.Length)
            throw Foreign($"found the journal of another zone, expected that of {Zone}");
        int length = hasLength
            ? JournalFormat.HeaderFixedOctets + header[magic.Length + 1] + JournalFormat.CrcOctets : int.MaxValue;
        if (length > header.Length)
        {
            // A header is on disk before the file gets its name: only the end of a file can be incomplete.
            Cut(file, octets, isTorn: true);
            return false;
        }
        uint crc = JournalFormat.Crc(0, header.AsSpan(0, length - JournalFormat.CrcOctets));
        if (crc != BinaryPrimitives.ReadUInt32BigEndian(header.AsSpan(length - JournalFormat.CrcOctets)))
            throw Foreign("its header is damaged: move it away to serve the zone without its changes");
        ReadOnlySpan<byte> name = header.AsSpan(JournalFormat.HeaderFixedOctets, header[magic.Length + 1]);
        if (!WireName.IsValid(name) || !WireName.EqualsIgnoreCase(name, Zone.Octets))
            throw Foreign(
                $"found the journal of {(WireName.IsValid(name) ? NameText.ToText(name) : "no zone")}, expected " +
                    $"that of {Zone}");
        Base = JournalFormat.ReadBase(header.AsSpan(magic.Length + 2));
        (_length, _crc) = (length, crc);
        return true;
    }

    private EntryState ReadEntry(IJournalFile file, long octets)
    {
        long left = octets - _length - JournalFormat.EntryFixedOctets;
        if (left < 0) return EntryState.Torn;
        byte[] start = new byte[JournalFormat.EntryFixedOctets];
        file.Read(_length, start);
        int length = BinaryPrimitives.ReadInt32BigEndian(start);
        if (length != ~BinaryPrimitives.ReadInt32BigEndian(start.AsSpan(4)) ||
            length is < 1 or > JournalFormat.MaxBodyOctets)
            return IsZero(file, octets) ? EntryState.Torn : EntryState.Damaged;
        if (length > left) return EntryState.Torn;
        byte[] body = new byte[length];
        file.Read(_length + JournalFormat.EntryFixedOctets, body);
        uint crc = JournalFormat.CrcOf(_crc, body);
        if (crc == BinaryPrimitives.ReadUInt32BigEndian(start.AsSpan(8)) && TryTake(body))
        {
            (_length, _crc) = (_length + start.Length + length, crc);
            return EntryState.Good;
        }
        // After a power failure the last pages may be missing although the length is on disk.
        bool isTorn = length == left && LacksSector(body, _length + JournalFormat.EntryFixedOctets);
        return isTorn ? EntryState.Torn : EntryState.Damaged;
    }

    /// <summary>Whether a sector of the last body was not written: it is zero.</summary>
    private static bool LacksSector(ReadOnlySpan<byte> body, long position)
    {
        long first = (position + SectorOctets - 1) / SectorOctets * SectorOctets - position;
        for (long at = first; at < body.Length; at += SectorOctets)
        {
            ReadOnlySpan<byte> sector = body[(int)at..];
            if (!sector[..Math.Min(sector.Length, SectorOctets)].ContainsAnyExcept((byte)0)) return true;
        }
        return false;
    }

    private bool TryTake(byte[] body)
    {
        if (body[0] == JournalFormat.Mark)
        {
            if (!JournalFormat.TryReadMark(body, out JournalBase at)) return false;
            _marks.Add(new JournalMark(at, _entries.Count));
            return true;
        }
        if (body[0] != JournalFormat.Changes || !JournalFormat.TryReadChanges(Zone, body, out ZoneDelta? delta))
            return false;
        if (_entries is [.., var last] && delta.SerialFrom != last.SerialTo) return false;
        _entries
            .Add(new Entry(_length + JournalFormat.EntryFixedOctets, body.Length, delta.SerialFrom, delta.SerialTo));
        return true;
    }

    private bool IsZero(IJournalFile file, long octets)
    {
        byte[] chunk = new byte[ChunkOctets];
        for (long position = _length; position < octets; position += chunk.Length)
        {
            int read = file.Read(position, chunk);
            if (chunk.AsSpan(0, read).ContainsAnyExcept((byte)0)) return false;
            if (read == 0) break;
        }
        return true;
    }

    /// <summary>
    /// Ends at the last intact entry. What is behind it stays until the next write, since a server that is being
    /// replaced may be writing it; damaged octets are copied.
    /// </summary>
    private void Cut(IJournalFile file, long octets, bool isTorn)
    {
        string? aside = isTorn ? null : Path + DamagedEnding;
        if (aside is not null) Keep(file, octets, aside);
        uint serial = _entries is [.., var last] ? last.SerialTo : Base?.Serial ?? 0;
        uint? bound = isTorn ? null : JournalDamage.FindSerialBound(file, serial, _length, octets);
        Loss = new JournalLoss(isTorn, _length, octets - _length, _entries.Count, aside, bound);
        _isDirty = _length > 0;
        if (isTorn) _tornLength = octets;
        if (_isDirty) return;
        file.Dispose();
        _files.Delete(Path);
    }

    private void Keep(IJournalFile file, long octets, string aside)
    {
        _files.Delete(aside);
        using IJournalFile copy = _files.Create(aside);
        Copy(file, _length, octets, copy);
        copy.Flush();
    }

    private JournalException Foreign(string what) => new(JournalFault.Foreign, $"{Path}: {what}");
}
