using System.Diagnostics.CodeAnalysis;

namespace Dns.Dnssec.Tests;

/// <summary>
/// A disk as a process sees it that is killed at a write, or in the middle of one: every octet counts as one step,
/// every other change too.
/// </summary>
/// <param name="disk">The disk, which stays.</param>
/// <param name="steps">How many steps the process takes before it is killed.</param>
internal sealed class CutFiles(IJournalFiles disk, long steps) : IJournalFiles
{
    private readonly HashSet<string> _flushed = [];

    /// <summary>The steps that were no octets: files that were made, flushed, moved and deleted.</summary>
    public List<long> Changes { get; } = [];

    /// <summary>How many steps were taken.</summary>
    public long Taken { get; private set; }

    public bool Exists(string path) => disk.Exists(path);

    public IReadOnlyList<string> List(string directory) => disk.List(directory);

    public bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file) => disk.TryOpen(path, out file);

    public IJournalFile Create(string path)
    {
        Take(1);
        return new OpenFile(this, path, disk.Create(path));
    }

    public void Move(string from, string to)
    {
        // A power failure could else bring the name without the octets.
        Assert.Contains(from, _flushed);
        Take(1);
        disk.Move(from, to);
    }

    public void Delete(string path)
    {
        if (!disk.Exists(path)) return;
        Take(1);
        disk.Delete(path);
    }

    /// <summary>Takes steps, as many as are left.</summary>
    private long Take(long wanted)
    {
        if (wanted == 1) Changes.Add(Taken);
        long left = Math.Min(wanted, steps - Taken);
        Taken += left;
        if (left == wanted) return left;
        if (wanted == 1) throw new IOException("the process was killed");
        return left;
    }

    private sealed class OpenFile(CutFiles process, string path, IJournalFile file) : IJournalFile
    {
        public long Length => file.Length;

        public int Read(long position, Span<byte> destination) => file.Read(position, destination);

        public void Write(long position, ReadOnlySpan<byte> octets)
        {
            long taken = process.Take(octets.Length);
            file.Write(position, octets[..(int)taken]);
            if (taken < octets.Length) throw new IOException("the process was killed");
        }

        public void SetLength(long length) => file.SetLength(length);

        public void Flush()
        {
            process.Take(1);
            process._flushed.Add(path);
        }

        public void Dispose() => file.Dispose();
    }
}
