using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace Dns.Management;

/// <summary>Decides who may see what the admin port shows.</summary>
/// <param name="first">What clients have to show; null = nothing.</param>
/// <param name="isReachable">
/// Whether others than this machine can reach the port: without the token they see no more than <paramref name="open"/>.
/// </param>
/// <param name="open">What is public.</param>
internal sealed class AdminAccess(string? first, bool isReachable = false, AdminOpen open = AdminOpen.Nothing)
{
    private const string Bearer = "Bearer ", Basic = "Basic ";

    // Hashes of equal length, so that the comparison reveals nothing of the token, not even its length.
    private volatile byte[]? _expected = HashOf(first);

    /// <summary>Whether a token, or none, will do for the address that the port has.</summary>
    public bool MayTake(string? token) => token is not null || !isReachable || open != AdminOpen.Nothing;

    /// <summary>Asks for another token from now on; null = for none.</summary>
    public void Use(string? token) => _expected = HashOf(token);

    /// <summary>Whether metrics are shown without the token.</summary>
    public bool HasOpenMetrics => open == AdminOpen.Metrics;

    /// <summary>Whether there is a token that opens what a request was refused.</summary>
    public bool HasToken => _expected is not null;

    /// <summary>Whether a request shows the token; where there is none, whether it can come from this machine only.</summary>
    /// <param name="authorization">The header <c>Authorization</c>: the token of Bearer, or the password of Basic.</param>
    public bool IsGranted(string? authorization)
    {
        if (_expected is not { } expected) return !isReachable;
        string shown = authorization is null ? ""
            : authorization.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase) ? authorization[Bearer.Length..].Trim()
            : authorization.StartsWith(Basic, StringComparison.OrdinalIgnoreCase) ? PasswordOf(authorization[Basic.Length..].Trim()) : "";
        return CryptographicOperations.FixedTimeEquals(Hash(shown), expected);
    }

    /// <summary>
    /// Whether a request was meant for this server. Without a token only names that cannot belong to another host are accepted: a page of
    /// another site, whose name is turned to this address, then learns nothing (DNS rebinding). An address that others can
    /// reach shows them what it shows by whatever name.
    /// </summary>
    /// <param name="host">The host that the request names, without port and brackets.</param>
    public bool IsForUs(string? host) =>
        _expected is not null || isReachable
        || host is not null && (IPAddress.TryParse(host, out _) || host.Equals("localhost", StringComparison.OrdinalIgnoreCase));

    /// <summary>The password of Basic (RFC 7617), as browsers send it: the token, with any name of a user.</summary>
    private static string PasswordOf(string encoded)
    {
        Span<byte> octets = new byte[encoded.Length];
        if (!Convert.TryFromBase64String(encoded, octets, out int length)) return "";
        string text = Encoding.UTF8.GetString(octets[..length]);
        return text[(text.IndexOf(':') + 1)..];
    }

    private static byte[]? HashOf(string? token) => token is null ? null : Hash(token);

    private static byte[] Hash(string text) => SHA256.HashData(Encoding.UTF8.GetBytes(text));
}
