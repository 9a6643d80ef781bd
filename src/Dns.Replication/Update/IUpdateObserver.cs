using Dns.Protocol;

namespace Dns.Replication;

/// <summary>Told what becomes of updates and of the journals that they go to. Called by several threads; must not throw.</summary>
public interface IUpdateObserver
{
    /// <summary>A zone has changed.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="client">Who asked.</param>
    /// <param name="key">The key that the message was signed with; null if it was not.</param>
    /// <param name="removed">Records that went.</param>
    /// <param name="added">Records that came.</param>
    /// <param name="serial">The serial from now on.</param>
    void OnApplied(DomainName zone, string client, DomainName? key, int removed, int added, uint serial);

    /// <summary>A message was refused. Told for a few in a minute only, however many come.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="client">Who asked.</param>
    /// <param name="key">The key that the message was signed with; null if it was not, or not rightly.</param>
    /// <param name="reason">Why, in words.</param>
    void OnRefused(DomainName zone, string client, DomainName? key, string reason);

    /// <summary>Updates could not be written to disk; those who asked were told so.</summary>
    void OnFailed(DomainName zone, string reason);

    /// <summary>The end of a journal could not be read and was cut off.</summary>
    void OnLoss(DomainName zone, string path, JournalLoss loss);

    /// <summary>The file of a zone is another than the one that the changes in its journal were made to.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="conflict">Both versions, what is served, and what to do.</param>
    void OnConflict(DomainName zone, string conflict);

    /// <summary>A fault of this program while it changed a zone. Those who asked were told that it failed.</summary>
    void OnCrash(DomainName zone, Exception error);
}
