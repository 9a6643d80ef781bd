using System.Runtime.CompilerServices;
using System.Diagnostics;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Dns.Transport.Tests;

/// <summary>
/// Runs a test on a thread in a network namespace of its own. Only sockets made on that thread belong to it,
/// so it suits listeners that bind all their sockets at once.
/// </summary>
internal static class PrivateNetwork
{
    private const int NewNetwork = 0x40000000;

    /// <summary>Runs the commands of <c>ip</c> and then the test, inside.</summary>
    public static void Run(string[] commands, Action test)
    {
        ExceptionDispatchInfo? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                Assert.Equal(0, Unshare(NewNetwork));
                Array.ForEach(commands, Configure);
                test();
            }
            catch (Exception error)
            {
                failure = ExceptionDispatchInfo.Capture(error);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
    }

    /// <summary>Whether this process may make namespaces and has the program to fill them.</summary>
    public static bool IsPermitted()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
        {
            return false;
        }

        try
        {
            Run(["link set lo up"], () => { });
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }

    // A child process starts in the namespace of the thread that starts it.
    private static void Configure(string arguments)
    {
        using Process process = Process.Start("ip", arguments);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }

    [DllImport("libc", EntryPoint = "unshare")]
    private static extern int Unshare(int flags);
}

/// <summary>A fact that needs a network namespace of its own: Linux, root and <c>ip</c>.</summary>
internal sealed class PrivateNetworkFactAttribute : FactAttribute
{
    public const string Reason = "network namespaces need Linux, root and the program ip";
    public static readonly bool Permitted = PrivateNetwork.IsPermitted();

    public PrivateNetworkFactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        if (!Permitted) Skip = Reason;
    }
}

/// <summary>The same for a theory.</summary>
internal sealed class PrivateNetworkTheoryAttribute : TheoryAttribute
{
    public PrivateNetworkTheoryAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        if (!PrivateNetworkFactAttribute.Permitted) Skip = PrivateNetworkFactAttribute.Reason;
    }
}
