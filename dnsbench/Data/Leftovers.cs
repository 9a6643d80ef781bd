using System.Runtime.InteropServices;

namespace Dns.Bench;

/// <summary>Resources to release when the program ends, also by a signal: servers, folders.</summary>
internal static class Leftovers
{
    private static readonly List<IDisposable> Alive = [];
    private static readonly PosixSignalRegistration[] Signals =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGTERM, End),
        PosixSignalRegistration.Create(PosixSignal.SIGINT, End),
        PosixSignalRegistration.Create(PosixSignal.SIGHUP, End),
    ];

    private static bool _isEnding;

    /// <summary>
    /// Registers a live object. Never returns after a termination signal, so that nothing new starts.
    /// </summary>
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
        // The signal handler ends the process; this thread must not go on until then.
        Thread.Sleep(Timeout.Infinite);
    }

    /// <summary>Unregisters a disposed object; false if it was disposed before.</summary>
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
        // In reverse order: servers before the folders they write to.
        foreach (IDisposable one in alive.Reverse()) one.Dispose();
        Environment.Exit(128 + 15);
    }
}
