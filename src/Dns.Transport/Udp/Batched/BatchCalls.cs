using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dns.Transport;

/// <summary>
/// The calls that a batched worker lives on, with the place where tests make the kernel refuse or do less than
/// asked: what it does then cannot be provoked on every machine.
/// </summary>
/// <param name="fault">
/// Asked before each call: 0 leaves it alone, a positive number shows the kernel at most so many entries, a
/// negative one fails it with that error.
/// </param>
[SupportedOSPlatform("linux")]
internal sealed unsafe class BatchCalls(Func<BatchCall, int>? fault)
{
    /// <summary><c>recvmmsg</c>.</summary>
    public int Receive(int socket, BatchEntry* entries, int count, int flags) =>
        fault is not null && IsFailed(new BatchCall(BatchCallKind.Receive, count, flags), ref count)
            ? -1
            : LinuxSocketCalls.ReceiveMany(socket, entries, (uint)count, flags, null);

    /// <summary><c>sendmmsg</c>.</summary>
    public int Send(int socket, BatchEntry* entries, int count, int flags, BatchCallKind kind) =>
        fault is not null && IsFailed(new BatchCall(kind, count, flags), ref count)
            ? -1
            : LinuxSocketCalls.SendMany(socket, entries, (uint)count, flags);

    private bool IsFailed(BatchCall call, ref int count)
    {
        int verdict = fault!(call);
        if (verdict < 0)
        {
            Marshal.SetLastPInvokeError(-verdict);
            return true;
        }

        count = verdict > 0 ? Math.Min(verdict, count) : count;
        return false;
    }
}

/// <summary>What a call is for.</summary>
internal enum BatchCallKind
{
    Receive,
    Send,

    /// <summary>Entries of several answers each.</summary>
    SendSegmented,

    /// <summary>One answer that came later, from another thread.</summary>
    SendLater,
}

/// <summary>A call as tests see it.</summary>
internal readonly record struct BatchCall(BatchCallKind Kind, int Entries, int Flags);
