namespace Dns.Features.Cookies;

/// <summary>Settings of cookies (RFC 7873, RFC 9018), section <c>Dns:Cookies</c>.</summary>
public sealed record CookieOptions
{
    /// <summary>Whether clients that send a cookie get one.</summary>
    public bool Enabled { get; init; } = true;

    /// <summary>Secrets that servers share: the first makes cookies, all check. Empty = one drawn at start.</summary>
    public IReadOnlyList<CookieSecret> Secrets { get; init; } = [];

    /// <summary>After how long a secret that was drawn is replaced; 0 = never.</summary>
    public TimeSpan Rotate { get; init; } = TimeSpan.FromDays(1);

    /// <summary>The section.</summary>
    public static SettingsSection<CookieOptions> Section { get; } =
        new SettingsSection<CookieOptions>("Cookies",
            "DNS cookies (RFC 7873, RFC 9018), by which clients prove that their address is not spoofed.", new())
        {
            IsLive = true,
        }
        .Add("Enabled", Flag, o => o.Enabled, (o, v) => o with { Enabled = v },
            "Whether clients that send a cookie get a server cookie.", false)
        .Add("Secrets", CookieSecretsSetting.Value, o => o.Secrets, (o, v) => o with { Secrets = v },
            "Secrets shared by the servers of one address (anycast, load balancer), 32 hexadecimal digits each: the first makes cookies, all verify. Empty = generated at the start.",
            Json("e5e973e5a6b2a43f48e7dc849e37bfcf"), isSecret: true)
        .Add("Rotate", Time(TimeSpan.FromDays(365)), o => o.Rotate, (o, v) => o with { Rotate = v },
            "How often a secret generated at the start is replaced; the one before it is valid for an hour more. Up to 365d; 0 = never.", "12h");
}
