namespace Dns.Answering.Planning;

/// <content>RRsets whose members a step chooses.</content>
internal ref partial struct Resolution<TSteps>
{
    /// <summary>Replaces an RRset of a marked name by its chosen members.</summary>
    /// <returns>False if no member is chosen: nothing is written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly bool TryChoose(scoped ZoneNode node, ref RRset rrset, bool isAdditional) =>
        !TSteps.HasChoice || !node.IsChosen || TryChooseMembers(node, ref rrset, isAdditional);

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private readonly bool TryChooseMembers(scoped ZoneNode node, ref RRset rrset, bool isAdditional)
    {
        // The next query may get other members.
        _worker.HasChosen = true;
        // Signatures are over the whole RRset.
        if (_writer.WithSignatures || rrset.Type is RRType.RRSIG or ChoiceMark.Type) return true;
        Span<ushort> members = stackalloc ushort[Choice.MaxMembers];
        Choice choice = new(members, rrset.Ttl);
        ChoiceQuery query = new(ref _client, _view, isAdditional, _worker.NextRandom());
        if (!_steps.TryChoose(in query, node, rrset, ref choice)) return true;
        if (choice.Members.IsEmpty) return false;
        uint ttl = Math.Min(choice.Ttl, rrset.Ttl);
        // Members longer than a message do not fit anyway.
        if (rrset.TryCopy(choice.Members, ttl, _worker.Members(isAdditional), out RRset chosen)) rrset = chosen;
        return true;
    }
}
