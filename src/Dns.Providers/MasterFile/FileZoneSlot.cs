using Dns.Protocol;
using Dns.Zones;

namespace Dns.Providers;

/// <summary>
/// The slot of a zone that comes from a file, and what has to be known to see whether the file has changed. A server can
/// have 100,000 of these: 24 bytes each, and no strings.
/// </summary>
/// <remarks>Written by its source only, by the thread that holds its lock; read by anyone who wants to know.</remarks>
internal sealed class FileZoneSlot(DomainName name) : ZoneSlot(name)
{
    /// <summary>What was found when the file was last read, included files taken together with it; 0 = no file, or not read yet.</summary>
    internal ulong Stamp { get; set; }

    /// <summary>The number of the file's place in <see cref="ZoneFilePaths"/>.</summary>
    internal int Place { get; set; }

    /// <summary>The number of the included files in <see cref="IncludedFiles"/>; 0 = none.</summary>
    internal ushort Includes { get; set; }

    /// <summary>Whether it is given by name, and not by the file's being in a directory.</summary>
    internal bool IsNamed { get; init; }

    /// <summary>Whether the file was written in the moment in which it was read: its times need not tell if that was before.</summary>
    internal bool IsUnsettled { get; set; }

    /// <summary>The comparison with a list of files that has seen it last.</summary>
    internal int Seen { get; set; }

    /// <summary>Takes over the file and what is known of it from another slot of the zone; the clients stay as they are.</summary>
    internal void TakeOver(FileZoneSlot other, DateTimeOffset now)
    {
        (Place, Includes, Stamp) = (other.Place, other.Includes, other.Stamp);
        (IsUnsettled, Seen) = (other.IsUnsettled, other.Seen);
        TakeData(other, now);
    }
}
