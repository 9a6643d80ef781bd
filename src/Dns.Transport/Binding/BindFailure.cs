using System.Net.Sockets;

namespace Dns.Transport.Binding;

/// <summary>The cause of a failed bind.</summary>
public enum BindFailureKind
{
    /// <summary>Another program, or an earlier entry of the list, uses the address and port.</summary>
    AddressInUse,

    /// <summary>The process lacks permission for the port.</summary>
    PermissionDenied,

    /// <summary>No interface has the address, or the address family is not available.</summary>
    AddressNotAvailable,

    /// <summary>Any other error; the reason is the system's message.</summary>
    Other,
}

/// <summary>An address that could not be bound.</summary>
/// <param name="Protocol">The protocol that failed: Udp or Tcp.</param>
/// <param name="Reason">The cause in one line for the operator.</param>
public sealed record BindFailure(
    IPEndPoint EndPoint, ProtocolType Protocol, BindFailureKind Kind, string Reason)
{
    /// <summary>The failure of a bind, for the operator.</summary>
    public static BindFailure From(ListenerAddress address, ProtocolType protocol, SocketException error)
    {
        IPEndPoint endPoint = address.EndPoint;
        BindFailureKind kind = KindOf(error.SocketErrorCode);
        string why = kind switch
        {
            BindFailureKind.AddressInUse => "the port is in use by another program",
            BindFailureKind.PermissionDenied => PermissionHint(endPoint.Port),
            BindFailureKind.AddressNotAvailable => "this machine does not have the address",
            _ when error.SocketErrorCode == SocketError.ProtocolNotSupported =>
                $"this server does not support {address.Kind.ToString().ToUpperInvariant()}",
            _ => error.Message.ReplaceLineEndings(" "),
        };
        return new BindFailure(endPoint, protocol, kind, Line(endPoint, protocol, why));
    }

    internal static BindFailure ListedTwice(IPEndPoint endPoint, ProtocolType protocol, IPEndPoint earlier) =>
        new(endPoint, protocol, BindFailureKind.AddressInUse,
            Line(endPoint, protocol, $"{earlier} of the same list already covers it"));

    /// <inheritdoc/>
    public override string ToString() => Reason;

    private static string Line(IPEndPoint endPoint, ProtocolType protocol, string why) =>
        $"cannot listen on {endPoint} ({protocol.ToString().ToUpperInvariant()}): {why}";

    private static string PermissionHint(int port) => OperatingSystem.IsLinux() && port is > 0 and < 1024
        ? $"permission denied; port {port} needs root, CAP_NET_BIND_SERVICE "
            + "or a lower net.ipv4.ip_unprivileged_port_start"
        : "permission denied";

    private static BindFailureKind KindOf(SocketError error) => error switch
    {
        SocketError.AddressAlreadyInUse => BindFailureKind.AddressInUse,
        SocketError.AccessDenied => BindFailureKind.PermissionDenied,
        SocketError.AddressNotAvailable or SocketError.AddressFamilyNotSupported
            or SocketError.ProtocolFamilyNotSupported => BindFailureKind.AddressNotAvailable,
        _ => BindFailureKind.Other,
    };
}
