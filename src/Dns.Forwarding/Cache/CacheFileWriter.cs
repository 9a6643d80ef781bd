using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Dns.Forwarding;

/// <summary>Writes a cache to a stream.</summary>
/// <remarks><code>
///   8   "dnscache"
///   4   version
///   8   wall clock, milliseconds since 1970
///   32  SHA-256 of who was asked about what
///       for each entry: 4 its length, then the entry without padding, its age in the place of the time of storing
///   4   0
///   32  SHA-256 of everything before
/// </code>
/// Numbers as this machine has them: a file of a machine with the other order of octets has another version.
/// </remarks>
internal sealed class CacheFileWriter : IDisposable
{
    /// <summary>The version; changed with every change of the entries.</summary>
    public const uint Version = 4;

    /// <summary>Length of the part before the first entry.</summary>
    public const int HeadBytes = OriginAt + SHA256.HashSizeInBytes;

    /// <summary>Where the hash of who was asked is.</summary>
    public const int OriginAt = 20;

    private readonly Stream _stream;
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly byte[] _buffer = new byte[128 << 10];
    private int _used, _entries;

    /// <summary>Writes the head.</summary>
    public CacheFileWriter(Stream stream, DateTimeOffset wallClock, ReadOnlySpan<byte> origin)
    {
        _stream = stream;
        Append(AnswerCache.FileMark);
        Append(Version);
        Append(wallClock.ToUnixTimeMilliseconds());
        Append(SHA256.HashData(origin).AsSpan());
    }

    /// <summary>Writes an entry.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="entry">All of it.</param>
    /// <param name="age">Its age in units of <see cref="CacheClock"/>.</param>
    public void Write(EntryHeader header, ReadOnlySpan<byte> entry, uint age)
    {
        // Hashes mean nothing to the next process.
        header.Hash = 0;
        header.Generation = 0;
        header.StoredAt = age;
        Append(entry.Length);
        Append(header);
        Append(entry[EntryHeader.Bytes..]);
        _entries++;
    }

    /// <summary>Writes the end.</summary>
    /// <returns>Entries written.</returns>
    public int Finish()
    {
        Append(0);
        Drain();
        _stream.Write(_hash.GetHashAndReset());
        _stream.Flush();
        return _entries;
    }

    /// <summary>Lets the hash go; the stream is whose it was.</summary>
    public void Dispose() => _hash.Dispose();

    private void Append<T>(T value) where T : unmanaged => Append(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)));

    private void Append(ReadOnlySpan<byte> octets)
    {
        while (!octets.IsEmpty)
        {
            if (_used == _buffer.Length) Drain();
            int length = Math.Min(octets.Length, _buffer.Length - _used);
            octets[..length].CopyTo(_buffer.AsSpan(_used));
            _used += length;
            octets = octets[length..];
        }
    }

    private void Drain()
    {
        _hash.AppendData(_buffer, 0, _used);
        _stream.Write(_buffer, 0, _used);
        _used = 0;
    }
}
