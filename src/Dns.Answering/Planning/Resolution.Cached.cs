namespace Dns.Answering.Planning;

/// <content>Cached answers.</content>
internal ref partial struct Resolution<TSteps>
{
    /// <summary>Writes the records of a cached answer.</summary>
    /// <param name="skip">Its labels in front of the node that answers.</param>
    /// <param name="type">The queried type; 0 for a referral.</param>
    /// <param name="isWanted">On a miss: whether to cache the records that are encoded now.</param>
    /// <param name="zones">The set of zones, if the answer depends on it; 0 for a referral.</param>
    private bool TryWriteCached(
        Zone zone, scoped ref readonly LookupName name, int skip, RRType type, out bool isWanted, long zones = 0)
    {
        CachedAnswerKey key =
            new(zone.Snapshot, zones, name.Suffix(skip), name.SuffixHash(skip), type, _query.Edns.DnssecOk,
                _view.Number, TSteps.HasChoice);
        return _worker.CachedAnswers.TryFind(in key, out CachedAnswer answer, out isWanted)
            && answer.Fits(in name, skip) && _writer.TryWriteCached(answer, name.Start(skip));
    }

    /// <summary>Caches the written records, if they are complete.</summary>
    private void AddToCache(Zone zone, scoped ref readonly LookupName name, int skip, RRType type, long zones = 0)
    {
        if (_writer.HasOmitted || TSteps.HasChoice && _worker.HasChosen) return;
        CachedAnswerKey key =
            new(zone.Snapshot, zones, name.Suffix(skip), name.SuffixHash(skip), type, _query.Edns.DnssecOk,
                _view.Number, TSteps.HasChoice);
        _worker.CachedAnswers.Add(in key, _writer.Written, _query.QuestionEnd, _writer.Counts, in name, skip);
    }
}
