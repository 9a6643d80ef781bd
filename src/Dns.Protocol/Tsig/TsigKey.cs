using System.Collections.Concurrent;
using System.Security.Cryptography;

namespace Dns.Protocol.Tsig;

/// <summary>A shared secret with its name and algorithm (RFC 8945 §2). Thread-safe.</summary>
public sealed class TsigKey
{
    /// <summary>The maximum length of a secret.</summary>
    public const int MaxSecretOctets = 512;

    private const int MaxIdleHashes = 8;

    private readonly ConcurrentQueue<IncrementalHash> _idle = new();
    private readonly byte[] _secret;
    private readonly byte[] _name;

    /// <summary>Creates a key.</summary>
    /// <param name="secret">1 to <see cref="MaxSecretOctets"/> octets; copied.</param>
    /// <exception cref="ArgumentException">The secret is empty or too long.</exception>
    public TsigKey(DomainName name, TsigAlgorithm algorithm, ReadOnlySpan<byte> secret)
    {
        if (secret.Length is 0 or > MaxSecretOctets)
            throw new ArgumentException($"a secret has 1 to {MaxSecretOctets} octets, not {secret.Length}",
                nameof(secret));
        Name = name;
        Algorithm = algorithm;
        _secret = secret.ToArray();
        _name = new byte[name.Octets.Length];
        WireName.ToLower(name.Octets, _name);
    }

    /// <summary>Its name.</summary>
    public DomainName Name { get; }

    /// <summary>Its algorithm.</summary>
    public TsigAlgorithm Algorithm { get; }

    /// <summary>Whether the secret is less than half as long as the MAC, which weakens the MAC (RFC 8945 §8).</summary>
    public bool IsShort => _secret.Length < Algorithm.MacOctets() / 2;

    /// <summary>Whether name, algorithm and secret are the same; constant time for secrets of equal length.</summary>
    public bool IsSame(TsigKey other) =>
        Name.Equals(other.Name) && Algorithm == other.Algorithm &&
            CryptographicOperations.FixedTimeEquals(_secret, other._secret);

    /// <summary>The maximum length of a TSIG record of this key, with the server's time.</summary>
    public int MaxRecordOctets => RecordOctets(_name.Length, Algorithm);

    /// <summary>The same of any key.</summary>
    public static int MaxRecordOctetsOfAny => RecordOctets(WireName.MaxOctets, TsigAlgorithm.HmacSha512);

    /// <summary>The name in lower case, as it is signed and written (RFC 8945 §4.3.3).</summary>
    internal ReadOnlySpan<byte> NameOctets => _name;

    /// <summary>The name, without the secret.</summary>
    public override string ToString() => Name.ToString();

    private static int RecordOctets(int nameOctets, TsigAlgorithm algorithm) =>
        nameOctets + RecordReader.FixedOctets + algorithm.NameOctets().Length + TsigRecord.FixedRdataOctets
        + algorithm.MacOctets() + TsigRecord.ServerTimeOctets;

    internal IncrementalHash RentHash() =>
        _idle.TryDequeue(out IncrementalHash? hash) ? hash : IncrementalHash.CreateHMAC(Algorithm.Hash(), _secret);

    /// <summary>Returns a hash without appended octets.</summary>
    internal void Return(IncrementalHash hash)
    {
        if (_idle.Count < MaxIdleHashes) _idle.Enqueue(hash);
        else hash.Dispose();
    }
}
