using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Answers that were encoded before.</content>
internal ref partial struct Resolution<TTrace>
{
    /// <summary>Writes the records of an answer from those of an earlier query.</summary>
    /// <param name="zone">The zone that answers.</param>
    /// <param name="name">The question's name.</param>
    /// <param name="skip">Its labels in front of the node that answers.</param>
    /// <param name="type">The type asked for; 0 for a referral.</param>
    /// <param name="isWanted">If there are none: whether to keep those that are encoded now.</param>
    /// <param name="zones">The set of zones, if the answer depends on that.</param>
    private bool TryWriteReady(
        Zone zone, scoped ref readonly LookupName name, int skip, RRType type, out bool isWanted, long zones = 0)
    {
        ReadyAnswerKey key = new(zone.Snapshot, zones, name.Suffix(skip), name.SuffixHash(skip), type, _query.Edns.DnssecOk);
        return _worker.Ready.TryFind(in key, out ReadyAnswer answer, out isWanted)
            && answer.Fits(in name, skip) && _writer.TryWriteReady(answer, name.Start(skip));
    }

    /// <summary>Keeps the records written, if all of them are there.</summary>
    private void KeepReady(Zone zone, scoped ref readonly LookupName name, int skip, RRType type, long zones = 0)
    {
        if (_writer.HasLeftOut) return;
        ReadyAnswerKey key = new(zone.Snapshot, zones, name.Suffix(skip), name.SuffixHash(skip), type, _query.Edns.DnssecOk);
        _worker.Ready.Keep(in key, _writer.Written, _query.QuestionEnd, _writer.Counts, in name, skip);
    }
}
