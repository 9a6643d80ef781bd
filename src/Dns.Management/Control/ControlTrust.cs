using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Management.Control;

/// <summary>
/// Checks whether a control socket that was found, not given by the operator, is trustworthy: any user can create
/// <c>dnsd-NAME</c> in a directory for temporary files. Trusted are root and our own user, and the owner of a directory
/// that only root can have created, such as <c>/run/dnsd</c>.
/// </summary>
/// <param name="User">The user of this process.</param>
/// <param name="Above">The parent of the socket's directory.</param>
/// <param name="Entry">The directory's entry there, possibly a symlink.</param>
public readonly record struct ControlTrust(uint User, FileFacts Above, FileFacts Entry, FileFacts Directory,
    FileFacts Socket)
{
    /// <summary>Why the peer of a socket is not trusted; null = it is.</summary>
    /// <param name="connection">A connection to it; null = only the files are checked.</param>
    public static string? FindFault(string path, Socket? connection = null)
    {
        if (!OperatingSystem.IsLinux()) return null;
        string directory = Path.GetDirectoryName(path)!;
        if (FileCalls.FactsOf((Path.GetDirectoryName(directory) ?? "") + "/.") is not { } above
            || FileCalls.FactsOf(directory) is not { } entry || FileCalls.FactsOf(directory + "/.") is not { } itself
            || FileCalls.FactsOf(path) is not { } socket)
            return "its owner is unknown";
        ControlTrust trust = new(FileCalls.EffectiveUser(), above, entry, itself, socket);
        return trust.FindFault() ?? (connection is null ? null : trust.FindPeerFault(connection));
    }

    /// <summary>Whether a file belongs to root or our own user, so that what it names is as if the operator named it.
    /// </summary>
    public static bool IsFileOfRootOrUs(string path) =>
        !OperatingSystem.IsLinux()
        || FileCalls.FactsOf(path) is { } facts && (facts.User == 0 || facts.User == FileCalls.EffectiveUser());

    /// <summary>Whether a path is known to lead to something else than a regular file, such as a pipe.</summary>
    public static bool IsNoRegularFile(string path)
    {
        try
        {
            string target = File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;
            return OperatingSystem.IsLinux() && FileCalls.FactsOf(target) is { IsRegular: false };
        }
        catch (IOException)
        {
            return true;
        }
        catch (UnauthorizedAccessException)
        {
            // Nothing is known; reading it says why not.
            return false;
        }
    }

    /// <summary>Why the files are not trusted; null = they are.</summary>
    public string? FindFault()
    {
        if (Entry.IsSymlink && !IsOfRootOrUs(Entry.User))
            return "its directory is a symlink of another user";
        if (Directory.IsOpenToAll) return "its directory is writable for all users";
        if (!IsTrusted(Directory.User)) return "its directory belongs to another user";
        if (!Socket.IsSocket) return "it is no socket";
        return IsTrusted(Socket.User) ? null : "it belongs to another user";
    }

    public bool IsTrusted(uint user)
    {
        bool isAboveOfRoot = Above.User == 0 && !Above.IsOpenToAll;
        return IsOfRootOrUs(user) || isAboveOfRoot && user == Directory.User;
    }

    [SupportedOSPlatform("linux")]
    private string? FindPeerFault(Socket connection)
    {
        if (!DescriptorPassing.TryReadPeer(connection, out _, out uint user))
            return "the system does not report which process answers there";
        return IsTrusted(user) ? null : "a program of another user answers there";
    }

    private bool IsOfRootOrUs(uint user) => user == 0 || user == User;
}
