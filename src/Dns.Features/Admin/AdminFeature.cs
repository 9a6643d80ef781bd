namespace Dns.Features.Admin;

/// <summary>The token of the admin port, which a reload changes.</summary>
public sealed class AdminFeature(AdminAccess? access) : Feature, IFeature
{
    public static IEnumerable<Setting> Settings => [AdminOptions.Section];

    public static Feature Create(ServerParts parts) => new AdminFeature(parts.Admin);

    public override IEnumerable<string> FindRestartRequired(ServerOptions options) =>
        access?.MayTake(options.Of(AdminOptions.Section).Token) == false
            ? ["Dns:Admin:Token stays until the next start: others can reach the admin port where it listens now"]
            : [];

    public override void Use(ServerOptions options)
    {
        string? token = options.Of(AdminOptions.Section).Token;
        if (access?.MayTake(token) == true) access.Use(token);
    }
}
