using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dns.Hosting.Native;

/// <summary>Makes every write to an open file append to it, whatever other processes have written meanwhile.</summary>
[SupportedOSPlatform("linux")]
public static partial class AppendMode
{
    private const int GetFlags = 3, SetFlags = 4, Append = 0x400;

    public static void Set(SafeFileHandle file)
    {
        int descriptor = (int)file.DangerousGetHandle();
        int flags = Control(descriptor, GetFlags, 0);
        if (flags >= 0) _ = Control(descriptor, SetFlags, flags | Append);
    }

    [LibraryImport("libc", EntryPoint = "fcntl")]
    private static partial int Control(int descriptor, int command, int argument);
}
