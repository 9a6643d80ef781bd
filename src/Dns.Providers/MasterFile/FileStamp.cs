namespace Dns.Providers;

/// <summary>
/// What tells one state of a file from another without reading it: size, time of its last change, which file it is.
/// Symbolic links are followed, so that a link which is turned elsewhere is a change.
/// </summary>
/// <param name="Value">Different, but for one chance in 2^64, for another state; 0 if there is no such file.</param>
/// <param name="ModifiedUtc">When it was changed last.</param>
/// <param name="Target">The file behind the link, if it is one.</param>
internal readonly record struct FileStamp(ulong Value, DateTime ModifiedUtc, string? Target)
{
    /// <summary>Looks at a file. Never throws.</summary>
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

    /// <summary>Mixes another number into one (the finisher of MurmurHash3).</summary>
    public static ulong Combine(ulong value, ulong other)
    {
        ulong mixed = (value * 0x9E3779B97F4A7C15) ^ other;
        mixed = (mixed ^ mixed >> 33) * 0xFF51AFD7ED558CCD;
        mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53;
        return mixed ^ mixed >> 33;
    }
}
