using System.Runtime.InteropServices;

namespace Dns.Bench;

/// <summary>
/// What has to be gone when the program ends, also when it is told to end in the middle: servers, folders.
/// </summary>
internal static class Leftovers
{
    private static readonly List<IDisposable> Alive = [];
    private static readonly PosixSignalRegistration[] Signals =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGTERM, End), PosixSignalRegistration.Create(PosixSignal.SIGINT, End),
        PosixSignalRegistration.Create(PosixSignal.SIGHUP, End),
    ];

    private static bool _isEnding;

    /// <summary>Remembers something that is alive. Does not return once the program is told to end: nothing more begins then.</summary>
    internal static void Add(IDisposable one)
    {
        bool isEnding;
        lock (Signals)
        {
            Alive.Add(one);
            isEnding = _isEnding;
        }
        if (!isEnding) return;
        one.Dispose();
        Thread.Sleep(Timeout.Infinite);
    }

    /// <summary>Forgets something that is gone; false if it was gone before.</summary>
    internal static bool Remove(IDisposable one)
    {
        lock (Signals) return Alive.Remove(one);
    }

    private static void End(PosixSignalContext context)
    {
        IDisposable[] alive;
        lock (Signals)
        {
            alive = [.. Alive];
            _isEnding = true;
        }
        // The latest first: servers before the folders they write to.
        foreach (IDisposable one in alive.Reverse()) one.Dispose();
        Environment.Exit(128 + 15);
    }
}
