using System.Collections.Concurrent;
using System.Security.Cryptography;

namespace Dns.Protocol;

/// <summary>A shared secret with its name and its one algorithm (RFC 8945 §2). Used by any number of threads at once.</summary>
public sealed class TsigKey
{
    /// <summary>The most octets a secret may have.</summary>
    public const int MaxSecretOctets = 512;

    private const int MaxIdleHashes = 8;

    private readonly ConcurrentQueue<IncrementalHash> _idle = new();
    private readonly byte[] _secret;
    private readonly byte[] _name;

    /// <summary>Makes a key.</summary>
    /// <param name="name">Its name, in any case.</param>
    /// <param name="algorithm">The only algorithm it is used with.</param>
    /// <param name="secret">1 to <see cref="MaxSecretOctets"/> octets; copied.</param>
    /// <exception cref="ArgumentException">The secret is empty or too long.</exception>
    public TsigKey(DomainName name, TsigAlgorithm algorithm, ReadOnlySpan<byte> secret)
    {
        if (secret.Length is 0 or > MaxSecretOctets)
            throw new ArgumentException($"a secret has 1 to {MaxSecretOctets} octets, not {secret.Length}", nameof(secret));
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

    /// <summary>Whether the secret is as long as RFC 8945 §8 wants it: as the code at least.</summary>
    public bool IsLongEnough => _secret.Length >= Algorithm.MacOctets();

    /// <summary>Whether the secret is so short, less than half of the code, that it weakens the code (RFC 8945 §8).</summary>
    public bool IsShort => _secret.Length < Algorithm.MacOctets() / 2;

    /// <summary>Whether another key has the same name, algorithm and secret. Takes the same time for every secret of a length.</summary>
    public bool IsSame(TsigKey other) =>
        Name.Equals(other.Name) && Algorithm == other.Algorithm && CryptographicOperations.FixedTimeEquals(_secret, other._secret);

    /// <summary>Octets that a TSIG record of this key takes at most, with the time of a server in it.</summary>
    public int MaxRecordOctets =>
        _name.Length + RecordReader.FixedOctets + Algorithm.NameOctets().Length + TsigRecord.FixedRdataOctets
        + Algorithm.MacOctets() + TsigRecord.ServerTimeOctets;

    /// <summary>The name as it is signed and written: lower case (RFC 8945 §4.3.3).</summary>
    internal ReadOnlySpan<byte> NameOctets => _name;

    /// <summary>The name and nothing of the secret.</summary>
    public override string ToString() => Name.ToString();

    /// <summary>Takes a hash over the secret, ready for a new code. To be given back.</summary>
    internal IncrementalHash RentHash() =>
        _idle.TryDequeue(out IncrementalHash? hash) ? hash : IncrementalHash.CreateHMAC(Algorithm.Hash(), _secret);

    /// <summary>Gives a hash back whose code was taken or that nothing was appended to.</summary>
    internal void Return(IncrementalHash hash)
    {
        if (_idle.Count < MaxIdleHashes) _idle.Enqueue(hash);
        else hash.Dispose();
    }
}
