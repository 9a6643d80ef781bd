using System.Security.Cryptography;

namespace Dns.Management.Admin;

/// <summary>Checks access to the admin port.</summary>
/// <param name="first">The required token; null = none.</param>
/// <param name="isReachable">Whether remote hosts reach the port: without the token they get only what is open.</param>
public sealed class AdminAccess(string? first, bool isReachable = false, AdminOpen open = AdminOpen.Nothing)
{
    private const string Bearer = "Bearer ", Basic = "Basic ";

    // Hashes of equal length, so that the comparison reveals nothing about the token, not even its length.
    private volatile byte[]? _expected = HashOf(first);

    /// <summary>Whether a token, or none, is acceptable for the port's address.</summary>
    public bool MayTake(string? token) => token is not null || !isReachable || open != AdminOpen.Nothing;

    /// <summary>Sets another token; null = none.</summary>
    public void Use(string? token) => _expected = HashOf(token);

    public bool HasOpenMetrics => open == AdminOpen.Metrics;

    /// <summary>Whether a token would admit a refused request.</summary>
    public bool HasToken => _expected is not null;

    /// <summary>Whether a request has the token; without one, whether it can only come from this machine.</summary>
    /// <param name="authorization">The header: the token of Bearer, or the password of Basic.</param>
    public bool IsGranted(string? authorization)
    {
        if (_expected is not { } expected) return !isReachable;
        string shown = authorization is null ? ""
            : authorization.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase)
                ? authorization[Bearer.Length..].Trim()
            : authorization.StartsWith(Basic, StringComparison.OrdinalIgnoreCase)
                ? PasswordOf(authorization[Basic.Length..].Trim()) : "";
        return CryptographicOperations.FixedTimeEquals(Hash(shown), expected);
    }

    /// <summary>
    /// Whether a request was meant for this server. Without a token only names that cannot belong to another host are
    /// accepted, against DNS rebinding. A publicly reachable address is served by any name.
    /// </summary>
    /// <param name="host">The host in the request, without port and brackets.</param>
    public bool IsForUs(string? host) =>
        _expected is not null || isReachable
        || host is not null &&
            (IPAddress.TryParse(host, out _) || host.Equals("localhost", StringComparison.OrdinalIgnoreCase));

    /// <summary>The password of Basic authentication (RFC 7617): the token, with any user name.</summary>
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
