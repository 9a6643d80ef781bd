namespace Dns.Replication.Journal;

/// <summary>Finds what lost changes of a damaged journal may have led to.</summary>
internal static class JournalDamage
{
    private const int ChunkOctets = 1 << 16;

    /// <summary>Added to the last known serial, for changes that are not found.</summary>
    internal const uint MostLostVersions = 1000;

    /// <summary>
    /// A serial above all that were served: the last one found behind the damage, and as many as the octets behind it
    /// may have, so that a secondary that has a lost version transfers the next one.
    /// </summary>
    /// <param name="serial">That of the last intact change, or of the base.</param>
    /// <param name="intact">The length of the intact part.</param>
    /// <param name="octets">The length of the file.</param>
    internal static uint FindSerialBound(IJournalFile file, uint serial, long intact, long octets)
    {
        long unknownFrom = intact;
        // Each entry continues the checksum of the one before it: behind the damaged one they are intact again.
        uint? before = null;
        long position = intact;
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
