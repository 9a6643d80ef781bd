using System.Net.Sockets;

namespace Dns.Server.Hosting.Services;

/// <summary>The meeting point of a running server and its replacement.</summary>
internal static class TakeoverName
{
    /// <summary>The label of its loop in metrics.</summary>
    public const string LoopName = "takeover";

    /// <summary>
    /// An abstract Unix socket name: no leftover file, and only in our own network namespace. Any process may use such
    /// a name, so both sides check each other's user.
    /// </summary>
    /// <param name="first">The first address that the server listens on.</param>
    public static UnixDomainSocketEndPoint Of(IPEndPoint first) => new($"\0dnsd/takeover/{first}");
}
