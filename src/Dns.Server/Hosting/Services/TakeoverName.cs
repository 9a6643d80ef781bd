using System.Net;
using System.Net.Sockets;

namespace Dns.Server;

/// <summary>Where a running server and the one that replaces it meet.</summary>
internal static class TakeoverName
{
    /// <summary>
    /// An abstract name of the Unix family: no file that could be left over, and only in our own network namespace. Any process
    /// may use such a name, so both sides ask who the other is.
    /// </summary>
    /// <param name="first">The first address that the server listens on.</param>
    public static UnixDomainSocketEndPoint Of(IPEndPoint first) => new($"\0dnsd/takeover/{first}");
}
