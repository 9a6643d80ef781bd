namespace Dns.Configuration.Options;

/// <summary>The control socket of a running server, section <c>Dns:Control</c>.</summary>
public sealed record ControlOptions
{
    /// <summary>The word for a place that the server chooses.</summary>
    public const string Automatic = "auto";

    /// <summary>The control socket, a name of a pipe on Windows; null = there is none.</summary>
    public string? Socket { get; init; } = Automatic;

    /// <summary>The section.</summary>
    public static SettingsSection<ControlOptions> Section { get; } =
        new SettingsSection<ControlOptions>("Control",
            "The control socket, by which commands such as \"dnsd status\" reach the running server.", new())
        .Add("Socket", SocketPath.Value(isOfControl: true), o => o.Socket, (o, v) => o with { Socket = v },
            "Path of the control socket (Unix domain socket); on Windows the name of a pipe. A path has at most 107 octets. auto = a path that the server chooses. null = none.", "/run/dnsd/control.sock");
}
