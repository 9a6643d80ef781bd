using System.Net;
using System.Net.Sockets;

namespace Dns.Testing;

/// <summary>
/// Binds to ports that were closed a moment ago. A process that is being started has the descriptors of its parent
/// until it is another program, so that a port stays taken for a moment after it was closed.
/// </summary>
public static class FreedPorts
{
    private const int TimeoutMs = 60_000;

    /// <summary>Binds a socket, as soon as nothing else holds the port.</summary>
    /// <exception cref="SocketException">Something still holds it after a minute.</exception>
    public static void BindOnceFree(this Socket socket, IPEndPoint endPoint) => OnceFree(() => socket.Bind(endPoint));

    /// <summary>Runs an action that binds a port, as soon as it is free.</summary>
    /// <exception cref="SocketException">Something still holds it after a minute.</exception>
    public static void OnceFree(Action bind)
    {
        if (SpinWait.SpinUntil(() => TryBind(bind), TimeoutMs)) return;
        bind();
    }

    private static bool TryBind(Action bind)
    {
        try
        {
            bind();
            return true;
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            return false;
        }
    }
}
