namespace Dns.Providers;

/// <summary>Says whether a file is that of a zone that is there already. Allocates nothing.</summary>
/// <param name="directory">The directory.</param>
/// <param name="fileName">The file's name in it.</param>
public delegate bool KnownZoneFile(string directory, ReadOnlySpan<char> fileName);

/// <summary>The zone files that are in directories.</summary>
/// <param name="Files">Those that are not known; no name is there twice.</param>
/// <param name="IsIncomplete">Whether a directory could not be read, so that zones may be missing.</param>
public sealed record ZoneFileList(IReadOnlyList<ZoneFile> Files, bool IsIncomplete);
