using System.Numerics;
using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>Pins threads to processors, among those that the process may use.</summary>
[SupportedOSPlatform("linux")]
internal static unsafe class ThreadAffinity
{
    // 2,048 processors; the kernel refuses to fill a mask that is too small for the machine.
    private const int Words = 32;
    private const int CallingThread = 0;

    /// <summary>Whether the affinity can be set; tested by setting the current one.</summary>
    public static bool IsPermitted()
    {
        ulong* mask = stackalloc ulong[Words];
        return LinuxSocketCalls.GetAffinity(CallingThread, Words * sizeof(ulong), mask) >= 0
            && LinuxSocketCalls.SetAffinity(CallingThread, Words * sizeof(ulong), mask) >= 0;
    }

    /// <summary>Pins the calling thread to one processor; consecutive indexes select consecutive processors.</summary>
    public static bool TryPin(int index)
    {
        Span<ulong> allowed = stackalloc ulong[Words];
        Span<ulong> chosen = stackalloc ulong[Words];
        chosen.Clear();
        fixed (ulong* mask = allowed)
        fixed (ulong* one = chosen)
        {
            if (LinuxSocketCalls.GetAffinity(CallingThread, Words * sizeof(ulong), mask) < 0) return false;
            int processor = Choose(allowed, index);
            one[processor / 64] = 1UL << processor;
            return LinuxSocketCalls.SetAffinity(CallingThread, Words * sizeof(ulong), one) >= 0;
        }
    }

    /// <summary>The processor of an index, modulo the number of allowed ones.</summary>
    internal static int Choose(ReadOnlySpan<ulong> allowed, int index)
    {
        int count = 0;
        foreach (ulong word in allowed) count += BitOperations.PopCount(word);
        int wanted = count == 0 ? 0 : index % count;
        for (int processor = 0; processor < allowed.Length * 64; processor++)
        {
            if ((allowed[processor / 64] >> processor & 1) != 0 && wanted-- == 0) return processor;
        }
        return 0;
    }
}
