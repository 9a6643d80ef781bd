namespace Dns.Replication.Update;

/// <summary>
/// A file that was edited while a journal has changes of another version of it. An operator decides between both.
/// </summary>
/// <param name="Path">The file.</param>
/// <param name="File">Its version.</param>
/// <param name="Journal">The path of the journal.</param>
/// <param name="From">The version that the journal starts from.</param>
/// <param name="Changes">The number of its changes.</param>
/// <param name="Serial">The serial that they lead to.</param>
/// <param name="IsServed">Whether the version with the changes is served.</param>
/// <param name="IsToBeAdded">Whether a command adds the zone, which is not served yet.</param>
public sealed record FileConflict(
    DomainName Zone, string Path, JournalBase File, string Journal, JournalBase From, int Changes, uint? Serial,
    bool IsServed, bool IsToBeAdded) : ZoneFailure
{
    /// <inheritdoc/>
    public override string Text =>
        $"{Path} has been edited: it has serial {File.Serial}, and {Journal} keeps {ZoneJournal.CountOf(Changes)} up "
        + $"to serial {Serial} for its version with serial {From.Serial} (digest {File.Digest:x32}, expected "
        + $"{From.Digest:x32}): {Remedies}";

    private string Remedies => (IsToBeAdded, IsServed) switch
    {
        (true, true) => $"before another file, \"dnsd zone sync {Zone}\" writes what is served to the present one",
        (true, false) => $"before adding {Zone} again, put the other version of the file back, or move the journal "
            + "away to drop what it keeps",
        (false, true) => $"\"dnsd zone thaw {Zone}\" takes the file and drops what the journal keeps, \"dnsd zone sync "
            + $"{Zone}\" writes what is served over the file and keeps the edited one beside it",
        _ => $"\"dnsd zone thaw {Zone}\" takes the file and drops what the journal keeps, with the other version of "
            + "the file back in its place that is served again",
    };
}
