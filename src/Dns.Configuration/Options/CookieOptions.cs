namespace Dns.Configuration.Options;

/// <summary>Settings of cookies (RFC 7873, RFC 9018), section <c>Dns:Cookies</c>.</summary>
internal sealed class CookieOptions
{
    /// <summary>Whether clients that send a cookie get one.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Secrets that servers share: the first makes cookies, all check. Empty = one drawn at start.</summary>
    public IReadOnlyList<CookieSecret> Secrets { get; set; } = [];

    /// <summary>After how long a secret that was drawn is replaced; 0 = never.</summary>
    public TimeSpan Rotate { get; set; } = TimeSpan.FromDays(1);
}
