using System.Diagnostics.CodeAnalysis;

namespace Dns.Replication.Tests;

/// <summary>
/// The disk as one process sees it, which may be killed between any two of its writes and in the middle of one: from
/// then on nothing that it does reaches the disk.
/// </summary>
internal sealed class MortalFiles(FaultyFiles disk) : IJournalFiles
{
    /// <summary>How many more writes of any kind reach the disk.</summary>
    public int WritesLeft { get; set; } = int.MaxValue;

    /// <summary>The part of the last octets that reaches the disk.</summary>
    public double LastPart { get; set; }

    /// <summary>Whether the process was killed.</summary>
    public bool IsDead { get; private set; }

    public bool Exists(string path) => disk.Exists(path);

    public IReadOnlyList<string> List(string directory) => disk.List(directory);

    public bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file)
    {
        file = disk.TryOpen(path, out IJournalFile? found) ? new OpenFile(this, found) : null;
        return file is not null;
    }

    public IJournalFile Create(string path)
    {
        Live();
        return new OpenFile(this, disk.Create(path));
    }

    public void Move(string from, string to)
    {
        Live();
        disk.Move(from, to);
    }

    public void Delete(string path)
    {
        Live();
        disk.Delete(path);
    }

    /// <summary>Does one write more, or dies.</summary>
    public void Live()
    {
        ThrowIfDead();
        if (WritesLeft-- <= 0) Die();
    }

    /// <summary>Ends the process.</summary>
    public void Kill() => IsDead = true;

    private void ThrowIfDead()
    {
        if (IsDead) throw new IOException("the process is gone");
    }

    [DoesNotReturn]
    private void Die()
    {
        IsDead = true;
        throw new IOException("the process was killed");
    }

    private sealed class OpenFile(MortalFiles process, IJournalFile file) : IJournalFile
    {
        public long Length => file.Length;

        public int Read(long position, Span<byte> destination) => file.Read(position, destination);

        public void Write(long position, ReadOnlySpan<byte> octets)
        {
            process.ThrowIfDead();
            if (process.WritesLeft-- > 0)
            {
                file.Write(position, octets);
                return;
            }
            file.Write(position, octets[..(int)(octets.Length * process.LastPart)]);
            process.Die();
        }

        public void SetLength(long length)
        {
            process.Live();
            file.SetLength(length);
        }

        public void Flush()
        {
            process.Live();
            file.Flush();
        }

        public void Dispose() => file.Dispose();
    }
}
