using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>The system calls of a batched worker; a test hook provokes refusals and partial results.</summary>
/// <param name="fault">Before each call: 0 = no fault, above 0 limits entries, below 0 is minus the errno.</param>
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

/// <summary>The purpose of a call.</summary>
internal enum BatchCallKind
{
    Receive,
    Send,

    /// <summary>Entries of several answers each.</summary>
    SendSegmented,

    /// <summary>One deferred reply, from another thread.</summary>
    SendDeferred,
}

/// <summary>A call, for the hook.</summary>
internal readonly record struct BatchCall(BatchCallKind Kind, int Entries, int Flags);
