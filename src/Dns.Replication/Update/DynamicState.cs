namespace Dns.Replication.Update;

/// <summary>
/// The state of a dynamically updated zone, which its queue, journal and file share. Written under the gate of the
/// zone; read by any thread.
/// </summary>
internal sealed class DynamicState
{
    /// <summary>Whether updates are refused so that the file can be edited.</summary>
    internal bool IsFrozen { get; set; }

    /// <summary>The version that a freeze left, and its serial; null while updates are permitted.</summary>
    internal (uint Serial, WeakReference<Zone> Version)? Frozen { get; set; }

    /// <summary>Whether the next file that is read replaces what the journal has.</summary>
    internal bool TakesFile { get; set; }

    /// <summary>The version of the file when it was last read or written; null if unknown.</summary>
    internal JournalBase? File { get; set; }

    /// <summary>The conflict between file and journal; null for none.</summary>
    internal FileConflict? Conflict { get; set; }

    /// <summary>The updates that were lost, until the zone is written to its file; null for none.</summary>
    internal UpdateLoss? Loss { get; set; }

    /// <summary>A serial above those of lost versions, until the zone has one: then it is on disk.</summary>
    internal uint? RaiseTo { get; set; }

    /// <summary>Why the last updates could not be stored; null if they were.</summary>
    internal string? Unsaved { get; set; }
}

/// <summary>Updates that a damaged journal has lost.</summary>
/// <param name="Path">The journal.</param>
/// <param name="Serial">A serial above those of the lost versions.</param>
public sealed record UpdateLoss(string Path, JournalLoss Loss, uint Serial, DomainName Zone)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Path}: {Loss}; the zone continues at serial {Serial} or above; "
        + $"\"dnsd zone sync {Zone}\" removes this line";
}
