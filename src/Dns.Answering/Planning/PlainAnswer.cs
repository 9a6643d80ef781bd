namespace Dns.Answering.Planning;

/// <summary>Answers of an RRset that is copied as it is.</summary>
internal static class PlainAnswer
{
    /// <summary>
    /// Answers the most common query: the name exists, has the type, and no record names a host. Takes a third of the
    /// instructions of the general path, which answers everything else, including what does not fit.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ReplyOutcome Answer(scoped ref QueryContext context)
    {
        ref Query query = ref context.Query;
        if (context.ZoneSlot is not { AllowQuery: null, Zone: { } zone }) return ReplyOutcome.NotHandled;
        if (!zone.TryFind(in query.Name, in context.Hint, out ZoneNode node)
            || !node.AnswersItself || zone.HasUnmarkedCuts)
            return ReplyOutcome.NotHandled;
        if (query.Type is RRType.ANY or RRType.RRSIG) return ReplyOutcome.NotHandled;
        if (Rdata.HasCompressibleNames(query.Type) || !node.TryFind(query.Type, out RRset rrset) || rrset.NamesHosts)
            return ReplyOutcome.NotHandled;
        int limit = context.Limit - ResponseOpt.Octets(ref context);
        int end = ResponseWriter.WritePlain(
            context.Message, query.QuestionEnd, limit, MessageHeader.LengthOctets, rrset, rrset.Ttl);
        if (end < 0) return ReplyOutcome.NotHandled;
        context.Zone = zone;
        RecordCounts counts = default;
        counts.Answer = rrset.Count;
        if (query.Edns.DnssecOk && zone.IsSigned &&
            !TrySign(ref context, node, rrset, limit, ref end, ref counts)) return ReplyOutcome.NotHandled;
        return ReplyEnd.Finish(ref context, end, Rcode.NoError, MessageHeader.AuthoritativeAnswer, counts);
    }

    /// <summary>Writes the signatures of the answer's RRset. False if they do not fit.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TrySign(
        scoped ref QueryContext context, scoped ZoneNode node, scoped RRset rrset, int limit, ref int end,
        ref RecordCounts counts)
    {
        if (!node.TryFindSignatures(rrset.Type, out RRset signatures)) return context.Zone!.OnlineSigner is null;
        end = ResponseWriter.WritePlain(
            context.Message, end, limit, MessageHeader.LengthOctets, signatures, Math.Min(rrset.Ttl, signatures.Ttl));
        counts.Answer += signatures.Count;
        return end >= 0;
    }
}
