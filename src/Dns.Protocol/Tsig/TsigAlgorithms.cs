using System.Security.Cryptography;

namespace Dns.Protocol.Tsig;

/// <summary>Properties of each <see cref="TsigAlgorithm"/>.</summary>
public static class TsigAlgorithms
{
    private static readonly Row[] Rows =
    [
        new("hmac-md5.sig-alg.reg.int.", HashAlgorithmName.MD5, 16),
        new("hmac-sha1.", HashAlgorithmName.SHA1, 20),
        new("hmac-sha256.", HashAlgorithmName.SHA256, 32),
        new("hmac-sha384.", HashAlgorithmName.SHA384, 48),
        new("hmac-sha512.", HashAlgorithmName.SHA512, 64),
    ];

    /// <summary>The maximum length of a MAC, in octets.</summary>
    public const int MaxMacOctets = 64;

    /// <summary>Whether it uses MD5 or SHA-1, only for peers that support nothing else (RFC 8945 §6).</summary>
    public static bool IsWeak(this TsigAlgorithm algorithm) => algorithm <= TsigAlgorithm.HmacSha1;

    /// <summary>The length of its full MAC in octets.</summary>
    public static int MacOctets(this TsigAlgorithm algorithm) => Rows[(int)algorithm].MacOctets;

    /// <summary>Its name on the wire, lower case.</summary>
    public static ReadOnlySpan<byte> NameOctets(this TsigAlgorithm algorithm) => Rows[(int)algorithm].Name.Octets;

    /// <summary>Its name in settings: without the final dot; <c>hmac-md5</c> without its suffix on the wire.</summary>
    public static string Text(this TsigAlgorithm algorithm) =>
        algorithm == TsigAlgorithm.HmacMd5 ? "hmac-md5" : Rows[(int)algorithm].Name.ToString()[..^1];

    /// <summary>Parses a name as in settings, ignoring case, with or without the final dot.</summary>
    public static bool TryParse(string text, out TsigAlgorithm algorithm)
    {
        string name = text.EndsWith('.') ? text : text + ".";
        int index = name.Equals("hmac-md5.", StringComparison.OrdinalIgnoreCase) ? 0
            : Array.FindIndex(Rows, row => name.Equals(row.Name.ToString(), StringComparison.OrdinalIgnoreCase));
        algorithm = (TsigAlgorithm)Math.Max(0, index);
        return index >= 0;
    }

    internal static HashAlgorithmName Hash(this TsigAlgorithm algorithm) => Rows[(int)algorithm].Hash;

    private sealed class Row(string name, HashAlgorithmName hash, int macOctets)
    {
        public DomainName Name { get; } = DomainName.Parse(name);

        public HashAlgorithmName Hash { get; } = hash;

        public int MacOctets { get; } = macOctets;
    }
}
