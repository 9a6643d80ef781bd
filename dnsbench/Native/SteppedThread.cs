using System.Runtime.InteropServices;

namespace Dns.Bench;

/// <summary>
/// The main thread of a child process, executed instruction by instruction (ptrace) and counted: exact, and ten
/// thousand times slower. It runs on freely when disposed. Belongs to the thread that made it; Linux on x64.
/// </summary>
internal sealed unsafe partial class SteppedThread : IDisposable
{
    private const int SingleStep = 9, Detach = 17, Seize = 0x4206, Interrupt = 0x4207;
    // Where struct user has RIP on x64; the kernel's own call writes what it reads to its last argument.
    private const int PeekUser = 3, InstructionPointerAt = 16 * 8;
    private const int AnyChild = 0x40000000, Halted = 0x7F;

    // SIGURG has no other use here.
    private const int Trap = 5, ChildSignal = 17, EndSignal = 23;
    private readonly int _process;

    /// <summary>Halts the thread before its next instruction.</summary>
    internal SteppedThread(int process)
    {
        _process = process;
        QuietSteps();
        if (Trace(Seize, process, 0, 0) != 0 || Trace(Interrupt, process, 0, 0) != 0)
            throw new InvalidDataException("processes may not be traced here");
        Wait(process, out _, AnyChild);
        Trace(SingleStep, process, 0, 0);
    }

    /// <summary>Whether processes may be traced here; tested with an idle one.</summary>
    internal static bool IsPermitted
    {
        get
        {
            using System.Diagnostics.Process child = System.Diagnostics.Process.Start("sleep", "10");
            bool isPermitted = Trace(Seize, child.Id, 0, 0) == 0;
            child.Kill();
            return isPermitted;
        }
    }

    /// <summary>Called by the stepped thread: the counted part is over.</summary>
    internal static void End() => Raise(EndSignal);

    /// <summary>Steps until the thread calls <see cref="End"/>; returns the number of instructions.</summary>
    internal long StepToEnd(MethodProfile? methods = null)
    {
        for (long steps = 0; ; steps++)
        {
            if (Wait(_process, out int status, AnyChild) < 0 || (status & 0x7F) != Halted)
                throw new InvalidDataException("the process ended while it was counted");
            int signal = status >> 8 & 0xFF;
            if (signal == EndSignal) return steps;
            methods?.Add(Trace(PeekUser, _process, InstructionPointerAt, 0));
            // Other signals are passed on; the stop after a step is ours.
            Trace(SingleStep, _process, 0, signal == Trap ? 0 : signal);
        }
    }

    /// <summary>Releases the thread, which has halted.</summary>
    public void Dispose() => Trace(Detach, _process, 0, 0);

    /// <summary>
    /// Without SIGCHLD for a child that halts: the runtime's handler would look after its children at each step.
    /// </summary>
    private static void QuietSteps()
    {
        // struct sigaction: handler, mask of 128 octets, flags.
        const int octets = 160, flagsAt = 136, noStops = 1;
        byte* action = stackalloc byte[octets];
        if (ChangeAction(ChildSignal, null, action) != 0) return;
        *(int*)(action + flagsAt) |= noStops;
        ChangeAction(ChildSignal, action, null);
    }

    [LibraryImport("libc", EntryPoint = "ptrace")]
    private static partial nint Trace(nint request, nint process, nint address, nint data);

    [LibraryImport("libc", EntryPoint = "raise")]
    private static partial int Raise(int signal);

    [LibraryImport("libc", EntryPoint = "waitpid")]
    private static partial int Wait(int process, out int status, int options);

    [LibraryImport("libc", EntryPoint = "sigaction")]
    private static partial int ChangeAction(int signal, byte* action, byte* old);
}
