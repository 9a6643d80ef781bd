using System.Net.Sockets;

namespace Dns.Transport.Outgoing.Sockets;

/// <summary>The faults of sockets, by their errors.</summary>
internal static class SocketFault
{
    /// <summary>The fault for an error of a local call. A refusal is none: it comes from the peer.</summary>
    /// <param name="isOfPort">Whether it is about the local port, which Windows denies if it is reserved.</param>
    internal static NetworkFault Of(SocketError error, bool isOfPort = false) =>
        new(IsUnreachable(error) && !(isOfPort && error == SocketError.AccessDenied), Text(error));

    // An invalid argument is an address that cannot be connected to, such as a link-local one without a scope.
    private static bool IsUnreachable(SocketError error) => error is SocketError.NetworkUnreachable
        or SocketError.HostUnreachable or SocketError.NetworkDown or SocketError.HostDown
        or SocketError.AddressNotAvailable or SocketError.InvalidArgument
        or SocketError.AccessDenied or SocketError.AddressFamilyNotSupported;

    // The framework has one error for the limits of the process and of the system, with the text of the rarer one.
    private static string Text(SocketError error) => error == SocketError.TooManyOpenSockets
        ? "Too many open files" : new SocketException((int)error).Message;
}
