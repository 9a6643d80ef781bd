using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Dns.Transport.Tests;

/// <summary>
/// Runs a test on a thread to which the kernel forbids system calls, as the filter of a container does
/// (seccomp). Threads that it starts inherit that; nobody else is touched.
/// </summary>
internal static class ForbiddingThread
{
    private const int NoNewPrivileges = 38;
    private const int SetFilter = 22;
    private const nuint FilterMode = 2;

    private const ushort LoadWord = 0x20;
    private const ushort JumpIfEqual = 0x15;
    private const ushort Return = 0x06;
    private const uint Allow = 0x7FFF0000;
    private const uint FailWith = 0x00050000;
    private const uint NumberOffset = 0;
    private const uint FirstArgumentOffset = 16;
    private const uint ArgumentOctets = 8;
    private const uint NotPermitted = 1;

    /// <summary>A call by its numbers, forbidden when one of its arguments has a value.</summary>
    public readonly record struct Call(uint OnX64, uint OnArm64, uint Argument, uint Value)
    {
        public uint Number => RuntimeInformation.ProcessArchitecture == Architecture.X64 ? OnX64 : OnArm64;
    }

    /// <summary>
    /// <c>sched_setaffinity</c> with a mask as long as ours: the runtime, whose mask is shorter, makes no thread
    /// without that call.
    /// </summary>
    public static Call SetAffinity { get; } = new(203, 122, Argument: 1, Value: 256);

    /// <summary><c>setsockopt</c> of SO_REUSEPORT.</summary>
    public static Call SharePort { get; } = new(54, 208, Argument: 2, Value: 15);

    /// <summary><c>recvmmsg</c> without a time-out, which is every one of ours.</summary>
    public static Call ReceiveMany { get; } = new(299, 243, Argument: 4, Value: 0);

    public static void Run(Call forbidden, Action test)
    {
        ExceptionDispatchInfo? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                Install(forbidden);
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

    private static void Install(Call forbidden)
    {
        Instruction[] program =
        [
            new(LoadWord, 0, 0, NumberOffset),
            new(JumpIfEqual, 0, 3, forbidden.Number),
            new(LoadWord, 0, 0, FirstArgumentOffset + ArgumentOctets * forbidden.Argument),
            new(JumpIfEqual, 0, 1, forbidden.Value),
            new(Return, 0, 0, FailWith | NotPermitted),
            new(Return, 0, 0, Allow),
        ];
        GCHandle pinned = GCHandle.Alloc(program, GCHandleType.Pinned);
        try
        {
            Program described = new() { Length = (ushort)program.Length, First = pinned.AddrOfPinnedObject() };
            Assert.Equal(0, Control(NoNewPrivileges, 1, 0, 0, 0));
            Assert.Equal(0, ControlFilter(SetFilter, FilterMode, ref described, 0, 0));
        }
        finally
        {
            pinned.Free();
        }
    }

    [DllImport("libc", EntryPoint = "prctl")]
    private static extern int Control(int option, nuint a, nuint b, nuint c, nuint d);

    [DllImport("libc", EntryPoint = "prctl")]
    private static extern int ControlFilter(int option, nuint mode, ref Program program, nuint c, nuint d);

    /// <summary><c>struct sock_filter</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly record struct Instruction(ushort Code, byte IfTrue, byte IfFalse, uint Value);

    /// <summary><c>struct sock_fprog</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Program
    {
        public ushort Length;
        public nint First;
    }
}
