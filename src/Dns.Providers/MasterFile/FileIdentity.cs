namespace Dns.Providers.MasterFile;

/// <summary>
/// Distinguishes files of the same name by inode number and creation time. A copy that keeps length and modification
/// time (<c>cp -p</c>, <c>rsync -t</c>) and is renamed into place differs only in these.
/// </summary>
/// <remarks>
/// <c>statx</c> (Linux 4.11, glibc 2.28), since <c>FileInfo.CreationTimeUtc</c> is the change time on Linux. The
/// structure is the same on every architecture; of its 256 octets these are used:
/// <code>
/// 32..39  stx_ino    80..87  stx_btime, seconds    88..91  its nanoseconds
/// </code>
/// </remarks>
internal static class FileIdentity
{
    private const int StructOctets = 256, InodeAt = 32, BirthSecondsAt = 80, BirthNanosecondsAt = 88;
    private const int CurrentFolder = -100;
    private const uint WantsInode = 0x100, WantsBirth = 0x800;

    private static volatile bool _isMissing = !OperatingSystem.IsLinux();

    /// <summary>A number for the file at a path, following symlinks; 0 if unknown.</summary>
    public static ulong Of(FileInfo file)
    {
        if (_isMissing) return OperatingSystem.IsLinux() ? 0 : (ulong)file.CreationTimeUtc.Ticks;
        byte[] found = new byte[StructOctets];
        try
        {
            if (Stat(CurrentFolder, Encoding.UTF8.GetBytes(file.FullName + "\0"), 0, WantsInode | WantsBirth, found)
                != 0) return 0;
        }
        catch (Exception error) when (error is EntryPointNotFoundException or DllNotFoundException)
        {
            _isMissing = true;
            return 0;
        }

        ulong createdAt =
            BitConverter.ToUInt64(found, BirthSecondsAt) << 30 | BitConverter.ToUInt32(found, BirthNanosecondsAt);
        return FileStamp.Combine(BitConverter.ToUInt64(found, InodeAt), createdAt);
    }

    [DllImport("libc", EntryPoint = "statx")]
    private static extern int Stat(int folder, byte[] path, int flags, uint mask, byte[] found);
}
