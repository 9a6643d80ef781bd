namespace Dns.Providers.MasterFile;

/// <summary>Whether a file belongs to an existing zone. Allocates nothing.</summary>
public delegate bool KnownZoneFile(string directory, ReadOnlySpan<char> fileName);

/// <summary>The zone files in directories.</summary>
/// <param name="Files">Unknown files; names are unique.</param>
/// <param name="IsIncomplete">Whether a directory could not be read, so that zones may be missing.</param>
public sealed record ZoneFileList(IReadOnlyList<ZoneFile> Files, bool IsIncomplete);
