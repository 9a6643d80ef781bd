using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dns.Files.Native;

/// <summary>
/// What .NET does not offer of files: opening without following a symlink, and who owns them. Numbers and structures
/// are those of Linux on 64-bit machines (x64 and arm64), where glibc and musl agree.
/// </summary>
[SupportedOSPlatform("linux")]
public static unsafe partial class FileCalls
{
    /// <summary>Flags of open(2).</summary>
    public const int WriteOnly = 1, ReadWrite = 2, Create = 0x40, Append = 0x400, NonBlocking = 0x800;

    /// <summary>Errors of open(2).</summary>
    public const int NoEntry = 2, NoDevice = 6, WouldBlock = 11, Denied = 13, NotDirectory = 20, TooManyLinks = 40;

    private const int CloseOnExec = 0x80000;
    private const int CurrentDirectory = -100, NoFollowAt = 0x100, EmptyPath = 0x1000, BasicStats = 0x7FF;
    private const int SetFlags = 4, MaxPath = 4096;
    private const int LockExclusive = 2, LockRelease = 8, LockNonBlocking = 4, Interrupted = 4;
    private const uint Unchanged = uint.MaxValue;

    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>Opens a file whose last component is no symlink; null and the error otherwise.</summary>
    /// <param name="flags">Those above; 0 = for reading. The handle waits, whatever they say.</param>
    public static SafeFileHandle? Open(string path, int flags, UnixFileMode mode, out int error) =>
        OpenAny(path, flags | NoFollow, mode, out error);

    /// <summary>Opens a file for reading without waiting for anything, and follows symlinks; null and the error
    /// otherwise, <see cref="WouldBlock"/> while another process holds a lease of it.</summary>
    public static SafeFileHandle? OpenToRead(string path, out int error) =>
        OpenAny(path, NonBlocking, default, out error);

    private static SafeFileHandle? OpenAny(string path, int flags, UnixFileMode mode, out int error)
    {
        int descriptor;
        do
        {
            descriptor = OpenFile(path, flags | CloseOnExec, (uint)mode);
            error = descriptor < 0 ? Marshal.GetLastPInvokeError() : 0;
        }
        while (error == Interrupted);
        if (descriptor < 0) return null;
        if ((flags & NonBlocking) != 0) _ = Control(descriptor, SetFlags, flags & Append);
        return new SafeFileHandle(descriptor, ownsHandle: true);
    }

    /// <summary>Gives a file to a user and a group, or to the group alone, as far as that is permitted.</summary>
    public static void Give(SafeFileHandle file, uint user, uint group)
    {
        int descriptor = (int)file.DangerousGetHandle();
        if (ChangeOwner(descriptor, user, group) != 0) _ = ChangeOwner(descriptor, Unchanged, group);
    }

    /// <summary>Locks an open file exclusively, flock(2); false if it is locked through another handle.</summary>
    public static bool TryLock(SafeFileHandle file) =>
        // Any other error: the file system has no locks.
        Lock((int)file.DangerousGetHandle(), LockExclusive | LockNonBlocking) == 0
            || Marshal.GetLastPInvokeError() != WouldBlock;

    /// <summary>
    /// Releases the lock at once, also if the handle was copied into a process that is just being started.
    /// </summary>
    public static void Unlock(SafeFileHandle file) => _ = Lock((int)file.DangerousGetHandle(), LockRelease);

    public static string Describe(int error) => Marshal.GetPInvokeErrorMessage(error);

    /// <summary>The user that the process acts as.</summary>
    [LibraryImport("libc", EntryPoint = "geteuid")]
    public static partial uint EffectiveUser();

    /// <summary>Facts of a path; null if there is nothing, or they are not known.</summary>
    /// <param name="follows">Whether they are those of the target of a symlink.</param>
    public static FileFacts? FactsOf(string path, bool follows = false) =>
        Stat(CurrentDirectory, path, follows ? 0 : NoFollowAt);

    /// <summary>Facts of an open file; null if they are not known.</summary>
    public static FileFacts? FactsOf(SafeFileHandle file) => Stat((int)file.DangerousGetHandle(), "", EmptyPath);

    /// <summary>A path without symlinks, realpath(3); null if there is nothing.</summary>
    public static string? RealPathOf(string path)
    {
        byte* real = stackalloc byte[MaxPath];
        return RealPath(path, real) is null ? null : Marshal.PtrToStringUTF8((nint)real);
    }

    private static FileFacts? Stat(int directory, string path, int flags)
    {
        // struct statx, statx(2): links at 16, user 20, group 24, mode 28, inode 32, device 136.
        byte* facts = stackalloc byte[256];
        // By its number, since older versions of musl have no function for it.
        if (SystemCall(IsArm ? 291 : 332, directory, path, flags, BasicStats, facts) != 0) return null;
        return new FileFacts(*(uint*)(facts + 20), *(ushort*)(facts + 28), *(uint*)(facts + 16))
        {
            Group = *(uint*)(facts + 24),
            Identity = (*(ulong*)(facts + 136), *(ulong*)(facts + 32)),
        };
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenFile(string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "realpath", StringMarshalling = StringMarshalling.Utf8)]
    private static partial byte* RealPath(string path, byte* real);

    [LibraryImport("libc", EntryPoint = "fchown")]
    private static partial int ChangeOwner(int descriptor, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int Lock(int descriptor, int operation);

    [LibraryImport("libc", EntryPoint = "fcntl")]
    private static partial int Control(int descriptor, int command, int argument);

    [LibraryImport("libc", EntryPoint = "syscall", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint SystemCall(nint number, nint directory, string path, nint flags, nint mask,
        byte* facts);
}

/// <summary>Who owns a file, and what it is.</summary>
/// <param name="User">Its owner.</param>
/// <param name="Mode">Type and rights, inode(7).</param>
/// <param name="Links">Its names.</param>
public readonly record struct FileFacts(uint User, ushort Mode, uint Links)
{
    private const int TypeMask = 0xF000;

    public uint Group { get; init; }

    /// <summary>The same for two paths of one file, and for no other.</summary>
    public (ulong Device, ulong Inode) Identity { get; init; }

    /// <summary>Whether it is a file with content.</summary>
    public bool IsRegular => (Mode & TypeMask) == 0x8000;

    public bool IsSymlink => (Mode & TypeMask) == 0xA000;

    public bool IsSocket => (Mode & TypeMask) == 0xC000;

    public bool IsDirectory => (Mode & TypeMask) == 0x4000;

    /// <summary>Whether it is world-writable.</summary>
    public bool IsOpenToAll => (Mode & 2) != 0;

    /// <summary>Whether it belongs to root or to a user.</summary>
    public bool IsOf(uint user) => User == 0 || User == user;
}
