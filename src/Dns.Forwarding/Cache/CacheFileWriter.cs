using System.Security.Cryptography;

namespace Dns.Forwarding.Cache;

/// <summary>Writes a cache to a stream.</summary>
/// <remarks><code>
///   8   "dnscache"
///   4   version
///   8   wall clock, milliseconds since 1970
///   32  SHA-256 of the configuration (zones, upstreams, rules)
///       for each entry: 4 its length, then the entry without padding, its age in place of the time of storing
///   4   0
///   32  SHA-256 of everything before
/// </code>
/// Numbers are in the machine's byte order: files of the other byte order have another version.
/// </remarks>
internal sealed class CacheFileWriter : IDisposable
{
    /// <summary>The version; changes with the format of entries.</summary>
    public const uint Version = 5;

    public const int HeadBytes = OriginAt + SHA256.HashSizeInBytes;

    /// <summary>The offset of the configuration's hash.</summary>
    public const int OriginAt = 20;

    private readonly Stream _stream;
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly byte[] _buffer = new byte[128 << 10];
    private int _used, _entries;

    public CacheFileWriter(Stream stream, DateTimeOffset wallClock, ReadOnlySpan<byte> origin)
    {
        _stream = stream;
        Append(AnswerCache.FileMark);
        Append(Version);
        Append(wallClock.ToUnixTimeMilliseconds());
        Append(SHA256.HashData(origin).AsSpan());
    }

    /// <param name="age">Its age in units of <see cref="CacheClock"/>.</param>
    public void Write(EntryHeader header, ReadOnlySpan<byte> entry, uint age)
    {
        // Hashes are seeded and useless to another process.
        header.Hash = 0;
        header.Generation = 0;
        header.StoredAt = age;
        Append(entry.Length);
        Append(header);
        Append(entry[EntryHeader.Bytes..]);
        _entries++;
    }

    /// <summary>Writes the trailer; returns the number of entries.</summary>
    public int Finish()
    {
        Append(0);
        Drain();
        _stream.Write(_hash.GetHashAndReset());
        _stream.Flush();
        return _entries;
    }

    /// <summary>Disposes the hash; the stream stays open.</summary>
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
