using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>A private key that signs, with its public key. Thread-safe; disposing it clears its memory.</summary>
public sealed class SigningKey : IDisposable
{
    /// <summary>The length of the largest signature: RSA with 4096 bits.</summary>
    public const int MaxSignatureOctets = RsaKeyOctets.MaxBits / 8;

    private const int DefaultRsaBits = 2048;

    private readonly PrivateKeyParameters _parameters;
    private readonly NativeSigningKey _key;
    private volatile bool _isDisposed;

    private SigningKey(PrivateKeyParameters parameters, Dnskey publicKey, NativeSigningKey key)
    {
        _parameters = parameters;
        _key = key;
        Public = publicKey;
        int curve = DnssecAlgorithms.CurveOctets(publicKey.Algorithm);
        SignatureOctets = curve > 0 ? 2 * curve : (publicKey.Bits + 7) / 8;
    }

    /// <summary>The public key.</summary>
    public Dnskey Public { get; }

    /// <summary>Length of every signature of the key, in octets.</summary>
    public int SignatureOctets { get; }

    /// <summary>Generates a key.</summary>
    /// <param name="algorithm">One for which <see cref="DnssecAlgorithms.CanSign"/>.</param>
    /// <param name="isSep">Whether it is a secure entry point (KSK, CSK) or not (ZSK).</param>
    /// <param name="bits">Bits of RSA, 1024 to 4096; 0 = 2048. The others have one size.</param>
    /// <exception cref="NotSupportedException">This machine cannot sign with the algorithm.</exception>
    public static SigningKey Generate(DnssecAlgorithm algorithm, bool isSep, int bits = 0)
    {
        if (!DnssecAlgorithms.CanSign(algorithm))
            throw new NotSupportedException(
                $"no keys of the algorithm {DnssecAlgorithms.NameOf(algorithm)} are made on this machine");
        ushort flags = (ushort)(Dnskey.ZoneFlag | (isSep ? Dnskey.SepFlag : 0));
        using PrivateKeyParameters parameters = KeyGeneration.Generate(algorithm, bits == 0 ? DefaultRsaBits : bits);
        return TryImport(parameters, flags, out SigningKey? key)
            ? key : throw new CryptographicException("the library made a key that it does not take");
    }

    /// <summary>Creates a key from its numbers, which are copied.</summary>
    /// <param name="flags">The flags of its DNSKEY record.</param>
    /// <param name="key">The key; the caller disposes it.</param>
    /// <returns>False if the numbers are not a key, or this machine cannot sign with its algorithm.</returns>
    public static bool TryImport(PrivateKeyParameters parameters, ushort flags, [NotNullWhen(true)] out SigningKey? key)
    {
        key = null;
        if (!DnssecAlgorithms.CanSign(parameters.Algorithm)) return false;
        if (!KeyGeneration.TryMake(parameters, out NativeSigningKey? making, out byte[] octets)) return false;
        Dnskey publicKey = Dnskey.Of(flags, parameters.Algorithm, octets);
        if (!publicKey.CanVerify)
        {
            making.Dispose();
            return false;
        }
        key = new SigningKey(parameters.Clone(), publicKey, making);
        return true;
    }

    /// <summary>The same key with other flags, for example revoked. Both must be disposed.</summary>
    public SigningKey WithFlags(ushort flags) =>
        TryImport(_parameters, flags, out SigningKey? key)
            ? key : throw new ObjectDisposedException(nameof(SigningKey));

    /// <summary>The numbers of the key; the caller disposes them.</summary>
    public PrivateKeyParameters Export()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        return _parameters.Clone();
    }

    /// <summary>Signs octets; the signature is in DNSSEC form.</summary>
    /// <param name="data">RRSIG RDATA without its signature, and the canonical RRset (RFC 4034 §3.1.8.1).</param>
    /// <param name="signature">At least <see cref="SignatureOctets"/>.</param>
    /// <returns>False if the span is too short, or the library failed.</returns>
    public bool TrySign(ReadOnlySpan<byte> data, Span<byte> signature, out int written)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        written = signature.Length < SignatureOctets ? 0 : _key.Sign(data, signature);
        return written > 0;
    }

    /// <summary>Clears the key. It must not be signing.</summary>
    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        _key.Dispose();
        _parameters.Dispose();
    }

    /// <summary>The algorithm and the tag, no key data.</summary>
    public override string ToString() => Public.ToString();
}
