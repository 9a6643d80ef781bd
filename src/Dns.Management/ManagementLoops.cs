namespace Dns.Management;

/// <summary>Loops of control socket and admin port that survive exceptions, by their labels in metrics.</summary>
public static class ManagementLoops
{
    /// <summary>Accepting clients of the control socket.</summary>
    public const string ControlAccept = "control_accept";

    /// <summary>Serving one client of the control socket.</summary>
    public const string ControlConnection = "control_connection";

    /// <summary>Accepting connections to the admin port.</summary>
    public const string AdminAccept = "admin_accept";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> All { get; } =
        [ControlAccept, ControlConnection, AdminAccept];
}
