using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Dns.Bench;

/// <summary>
/// Instructions that the calling thread has executed in user space, counted by the processor: what
/// <c>perf stat -e instructions:u</c> shows, without the program. 64-bit Linux; many virtual machines have no such
/// counter.
/// </summary>
internal sealed unsafe partial class PerfCounter : IInstructionCounter, IDisposable
{
    private readonly SafeFileHandle _handle;

    private PerfCounter(SafeFileHandle handle) => _handle = handle;

    /// <summary>struct perf_event_attr as of its first version; later fields are zero for the kernel.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 64)]
    private struct Attributes
    {
        internal const ulong ExcludeKernel = 1 << 5, ExcludeHypervisor = 1 << 6;

        /// <summary>0: counted by the processor.</summary>
        [FieldOffset(0)]
        internal uint Type;
        [FieldOffset(4)]
        internal uint Octets;

        /// <summary>1: instructions.</summary>
        [FieldOffset(8)]
        internal ulong Event;
        [FieldOffset(40)]
        internal ulong Flags;
    }

    public void Dispose() => _handle.Dispose();

    /// <summary>Opens the counter of the calling thread, which is the only one that may read it.</summary>
    internal static bool TryOpen([NotNullWhen(true)] out PerfCounter? counter)
    {
        counter = null;
        if (!OperatingSystem.IsLinux()) return false;
        Attributes attributes = new()
        {
            Octets = (uint)sizeof(Attributes), Event = 1,
            Flags = Attributes.ExcludeKernel | Attributes.ExcludeHypervisor,
        };
        long call = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 298 : 241;
        nint handle = Call(call, &attributes, 0, -1, -1, 0);
        if (handle < 0) return false;
        counter = new(new SafeFileHandle(handle, ownsHandle: true));
        return true;
    }

    public long Count(Action action)
    {
        long before = Read();
        action();
        return Read() - before;
    }

    private long Read()
    {
        long count;
        nint octets = Read((int)_handle.DangerousGetHandle(), &count, sizeof(long));
        return octets == sizeof(long) ? count : throw new IOException("the processor's counter cannot be read");
    }

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Call(long number, Attributes* attributes, nint process, nint processor, nint group,
        nint flags);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(int handle, void* buffer, nint octets);
}
