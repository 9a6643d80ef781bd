namespace Dns.Providers.MasterFile;

/// <summary>
/// Distinguishes states of a file without reading it: size, modification time, identity. Symlinks are followed, so a
/// link with another target is a change.
/// </summary>
/// <param name="Value">A 64-bit hash of the state; 0 if there is no such file.</param>
/// <param name="Target">The target, if the file is a symlink.</param>
internal readonly record struct FileStamp(ulong Value, DateTime ModifiedUtc, string? Target)
{
    /// <summary>Reads the state of a file. Never throws.</summary>
    public static FileStamp Of(string path)
    {
        try
        {
            FileInfo? file = new(path);
            if (!file.Exists) return default;
            bool isLink = (file.Attributes & FileAttributes.ReparsePoint) != 0;
            if (isLink)
                file = file.ResolveLinkTarget(returnFinalTarget: true) as FileInfo;
            if (file is not { Exists: true }) return default;
            DateTime modified = file.LastWriteTimeUtc;
            ulong value = Combine(Combine((ulong)file.Length, (ulong)modified.Ticks), FileIdentity.Of(file));
            return new FileStamp(Math.Max(value, 1), modified, isLink ? file.FullName : null);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return default;
        }
    }

    /// <summary>Combines two hashes (the finisher of MurmurHash3).</summary>
    public static ulong Combine(ulong value, ulong other)
    {
        ulong mixed = (value * 0x9E3779B97F4A7C15) ^ other;
        mixed = (mixed ^ mixed >> 33) * 0xFF51AFD7ED558CCD;
        mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53;
        return mixed ^ mixed >> 33;
    }
}
