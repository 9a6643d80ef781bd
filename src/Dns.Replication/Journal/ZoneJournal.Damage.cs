using System.Buffers;

namespace Dns.Replication.Journal;

/// <content>Damaged octets: the serials that lost changes may have led to, and what takes their place.</content>
public sealed partial class ZoneJournal
{
    /// <summary>Added to the last known serial, for changes that are not found.</summary>
    internal const uint MostLostVersions = 1000;

    /// <summary>
    /// A serial above all that were served: the last one found behind the damage, and as many as the octets behind it
    /// may have, so that a secondary that has a lost version transfers the next one.
    /// </summary>
    private uint FindSerialBound(IJournalFile file, long octets)
    {
        uint serial = _entries is [.., var last] ? last.SerialTo : Base!.Value.Serial;
        long unknownFrom = _length;
        // Each entry continues the checksum of the one before it: behind the damaged one they are intact again.
        uint? before = null;
        long position = _length;
        while (TryFindEntry(file, ref position, octets, ref before, out int length, out uint crc))
        {
            byte[] body = new byte[length];
            file.Read(position + JournalFormat.EntryFixedOctets, body);
            position += JournalFormat.EntryFixedOctets + length;
            if (before is { } continued && JournalFormat.CrcOf(continued, body) == crc)
            {
                unknownFrom = position;
                if (JournalFormat.FindSerialTo(body) is { } found) serial = found;
            }
            before = crc;
        }
        long unknown = (octets - unknownFrom) / JournalFormat.LeastChangeOctets;
        return unchecked(serial + MostLostVersions + (uint)Math.Min(unknown, int.MaxValue / 2));
    }

    /// <summary>Finds the next start of an entry; octets that are none end the chain of checksums.</summary>
    private static bool TryFindEntry(
        IJournalFile file, ref long position, long octets, ref uint? before, out int length, out uint crc)
    {
        byte[] start = new byte[JournalFormat.EntryFixedOctets];
        // Another server may append meanwhile: what is behind the octets found at opening is not read.
        while (octets - position >= start.Length && file.Read(position, start) == start.Length)
        {
            if (JournalFormat.TryReadStart(start, octets - position, out length, out crc)) return true;
            before = null;
            position = SkipToEntry(file, position + 1, octets);
        }
        (length, crc) = (0, 0);
        return false;
    }

    /// <summary>
    /// Writes new entries in the place of damaged octets, by way of another file: after a crash the next opening finds
    /// either, and never a shorter journal that says nothing of the loss.
    /// </summary>
    private void ReplaceDamage(ArrayBufferWriter<byte> entries)
    {
        WriteWhole(whole =>
        {
            if (!_files.TryOpen(Path, out IJournalFile? damaged)) throw Changed("it is gone");
            using (damaged)
            {
                if (damaged.Length < _length) throw Changed($"found {damaged.Length} octets, expected {_length}");
                Copy(damaged, 0, _length, whole);
            }
            whole.Write(_length, entries.WrittenSpan);
        });
        _isDirty = false;
    }

    private static void Copy(IJournalFile from, long start, long end, IJournalFile to)
    {
        byte[] chunk = new byte[ChunkOctets];
        for (long position = start; position < end;)
        {
            int read = from.Read(position, chunk.AsSpan(0, (int)Math.Min(chunk.Length, end - position)));
            if (read == 0) break;
            to.Write(position - start, chunk.AsSpan(0, read));
            position += read;
        }
    }

    private static long SkipToEntry(IJournalFile file, long position, long octets)
    {
        byte[] chunk = new byte[ChunkOctets];
        while (octets - position >= JournalFormat.EntryFixedOctets)
        {
            int read = file.Read(position, chunk.AsSpan(0, (int)Math.Min(chunk.Length, octets - position)));
            if (read < JournalFormat.EntryFixedOctets) break;
            int last = read - JournalFormat.EntryFixedOctets;
            for (int i = 0; i <= last; i++)
                if (JournalFormat.TryReadStart(chunk.AsSpan(i), octets - position - i, out _, out _))
                    return position + i;
            position += last + 1;
        }
        return octets;
    }
}
