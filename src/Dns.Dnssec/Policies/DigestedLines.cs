using System.Security.Cryptography;

namespace Dns.Dnssec.Policies;

/// <summary>Lines of text with a digest of them at the end: a truncated or modified file is detected.</summary>
internal static class DigestedLines
{
    private const string Digest = "sha256 ";

    internal static string Seal(string lines) => $"{lines}{Digest}{DigestOf(lines)}\n";

    /// <summary>The lines, and an empty one; null if the digest is not theirs.</summary>
    internal static string[]? Open(string text)
    {
        int end = text.LastIndexOf("\n" + Digest, StringComparison.Ordinal) + 1;
        return end > 0 && Seal(text[..end]) == text ? text[..end].Split('\n') : null;
    }

    internal static string DigestOf(string lines) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(lines)));
}
