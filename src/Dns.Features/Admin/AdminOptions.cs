namespace Dns.Features.Admin;

/// <summary>The admin port, section <c>Dns:Admin</c>: metrics, health and the status page over HTTP.</summary>
/// <param name="Listen">Address and port; null = there is none.</param>
/// <param name="Token">What clients have to show as bearer; null = nothing, on loopback only.</param>
/// <param name="Open">What is shown without it at an address that others can reach.</param>
public sealed record AdminOptions(
    IPEndPoint? Listen = null, string? Token = null, AdminOpen Open = AdminOpen.Nothing)
{
    /// <summary>The section, and not the token.</summary>
    public override string ToString() => "Dns:Admin";

    /// <summary>The section.</summary>
    public static SettingsSection<AdminOptions> Section { get; } =
        new SettingsSection<AdminOptions>("Admin",
            "The admin port: status page, metrics and health checks over HTTP.", new())
        .Add("Listen", AdminSetting.Listen, o => o.Listen, (o, v) => o with { Listen = v },
            "Address and port of the admin port; null = none. Without Token or Open only a loopback address is allowed. The shipped settings have 127.0.0.1:8053.", "127.0.0.1:8053")
        .Add("Token", AdminSetting.Token, o => o.Token, (o, v) => o with { Token = v },
            "The bearer token that clients send (Authorization: Bearer), 16 to 255 ASCII characters without spaces. null = none. Removing it takes effect at the next start where others can reach the port.",
            "choose-a-long-random-token", isLive: true, isSecret: true)
        .Add("Open", Choice<AdminOpen>(), o => o.Open, (o, v) => o with { Open = v },
            "What an address that others can reach shows without the token: health = the two health paths, metrics = also /metrics.", "metrics")
        .Check(AdminSetting.RefuseOpen);
}
