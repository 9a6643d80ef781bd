namespace Dns.Providers.MasterFile;

/// <summary>
/// The slot of a zone from a file, with the state needed to detect changes. A server can have 100,000 of these: 24
/// bytes each, and no strings.
/// </summary>
/// <remarks>Written only by its source, under its lock; read by any thread.</remarks>
internal sealed class FileZoneSlot(DomainName name) : ZoneSlot(name)
{
    /// <summary>The combined stamp of file and included files when last read; 0 = no file, or not read yet.</summary>
    internal ulong Stamp { get; set; }

    /// <summary>The number of the file's path in <see cref="ZoneFilePaths"/>.</summary>
    internal int PathNumber { get; set; }

    /// <summary>The number of the included files in <see cref="IncludedFiles"/>; 0 = none.</summary>
    internal ushort Includes { get; set; }

    /// <summary>Whether it is configured by name, and not found in a directory.</summary>
    internal bool IsNamed { get; init; }

    /// <summary>Whether the file was written just as it was read: its times may not reveal a later change.</summary>
    internal bool IsUnsettled { get; set; }

    /// <summary>Whether it was created for a command that adds a zone.</summary>
    internal bool IsOfCommand { get; init; }

    /// <inheritdoc/>
    public override bool IsToBeAdded => IsOfCommand && Source is null;

    /// <summary>The number of the last comparison that included it.</summary>
    internal int Seen { get; set; }

    /// <summary>Copies file and state from another slot of the zone; the access list stays.</summary>
    internal void TakeOver(FileZoneSlot other, DateTimeOffset now)
    {
        (PathNumber, Includes, Stamp) = (other.PathNumber, other.Includes, other.Stamp);
        (IsUnsettled, Seen) = (other.IsUnsettled, other.Seen);
        CopyDataFrom(other, now);
    }
}
