using System.Buffers;

namespace Dns.Replication.Journal;

/// <content>What takes the place of damaged octets.</content>
public sealed partial class ZoneJournal
{
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
}
