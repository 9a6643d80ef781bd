namespace Dns.Providers.MasterFile;

/// <summary>
/// Distinguishes states of files of the same name by inode number and change time, on Windows by creation time. A copy
/// that keeps length and modification time (<c>cp -p</c>, <c>rsync -t</c>), renamed into place or written over the
/// file, differs only in these.
/// </summary>
/// <remarks>
/// <c>statx</c> (Linux 4.11, glibc 2.28), since the base library has neither. A change of mode or links is a change
/// too: the file is read once more. The structure is the same on every architecture; of its 256 octets these are used:
/// <code>
/// 32..39  stx_ino    96..103  stx_ctime, seconds    104..107  its nanoseconds
/// </code>
/// </remarks>
internal static class FileIdentity
{
    private const int StructOctets = 256, InodeAt = 32, ChangeSecondsAt = 96, ChangeNanosecondsAt = 104;
    private const int CurrentFolder = -100;
    private const uint WantsInode = 0x100, WantsChange = 0x80;

    private static volatile bool _isMissing = !OperatingSystem.IsLinux();

    /// <summary>A number for the file at a path, following symlinks; 0 if unknown.</summary>
    public static ulong Of(FileInfo file)
    {
        if (_isMissing) return OperatingSystem.IsLinux() ? 0 : (ulong)file.CreationTimeUtc.Ticks;
        byte[] found = new byte[StructOctets];
        try
        {
            if (Stat(CurrentFolder, Encoding.UTF8.GetBytes(file.FullName + "\0"), 0, WantsInode | WantsChange, found)
                != 0) return 0;
        }
        catch (Exception error) when (error is EntryPointNotFoundException or DllNotFoundException)
        {
            _isMissing = true;
            return 0;
        }

        ulong changedAt =
            BitConverter.ToUInt64(found, ChangeSecondsAt) << 30 | BitConverter.ToUInt32(found, ChangeNanosecondsAt);
        return FileStamp.Combine(BitConverter.ToUInt64(found, InodeAt), changedAt);
    }

    [DllImport("libc", EntryPoint = "statx")]
    private static extern int Stat(int folder, byte[] path, int flags, uint mask, byte[] found);
}
