namespace Dns.Answering.Planning;

/// <content>Names outside of the served zones, for clients with recursion.</content>
internal ref partial struct Resolution<TSteps>
{
    /// <summary>Whether the question's own name is forwarded: nothing is written yet.</summary>
    internal readonly bool IsWhollyElsewhere => ContinuesElsewhere && _aliasCount == 0;

    /// <summary>Begins with the question's own name forwarded.</summary>
    internal void BeginElsewhere()
    {
        _elsewhere.Set(Query.Name.Octets);
        ContinuesElsewhere = true;
    }

    /// <summary>
    /// Relays another server's answer for the name at the end of the alias chain. If it ends in an alias, continues at
    /// the target, in a served zone or forwarded again.
    /// </summary>
    /// <param name="message">A message with the question for that name, and the records behind it.</param>
    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    internal void Append(ReadOnlySpan<byte> message, scoped Question question, scoped in RelayedAnswer answer)
    {
        ContinuesElsewhere = false;
        _visited[_visitedCount++] = question.Name.Hash;
        _aliasCount++;
        int before = _answer.Writer.Position, targetOffset = 0;
        Span<byte> target = stackalloc byte[WireName.MaxOctets];
        RecordCounts counts = _answer.Writer.Counts;
        message = message[..(question.EndOffset + answer.Octets)];
        int position = question.EndOffset;
        bool fits = !answer.DoesNotFit
            && TryAppend(message, Section.Answer, answer.AnswerCount, ref position, target, ref targetOffset)
            && TryAppend(message, Section.Authority, answer.AuthorityCount, ref position, target, ref targetOffset);
        if (!fits)
        {
            _answer.Writer.Rewind(before, counts);
            _answer.IsTruncated = true;
        }
        _answer.Rcode = answer.Rcode;
        _answer.Error ??= answer.Error;
        if (fits && answer.EndsInAlias && targetOffset > 0 && _aliasCount < Resolution.MaxAliases)
            GoOn(target, targetOffset);
        if (!ContinuesElsewhere) _answer.WriteProofs();
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private void GoOn(scoped ReadOnlySpan<byte> target, int targetOffset)
    {
        Unsafe.SkipInit(out LookupName name);
        WireName.TryMeasure(target, out int length);
        name.Set(target[..length]);
        if (_visited[.._visitedCount].Contains(name.Hash)) return;
        ZoneVersions versions = default;
        int before = _answer.Writer.Position;
        RecordCounts counts = _answer.Writer.Counts;
        bool hadProofs = _answer.HasProofs;
        AliasKind alias = StepAcross(in name, targetOffset, ref versions, out ZoneNode node, out int skip);
        if (alias != AliasKind.None) FollowAliases(ref name, targetOffset, ref versions, alias, node, skip);
        if (!_answer.Writer.HasBlocked(before, counts, _forwarded!)) return;
        _answer.Writer.Rewind(before, counts);
        _answer.HasProofs = hadProofs;
        _answer.Error = ExtendedErrorCode.Blocked;
    }

    /// <summary>Ends without an answer: the name at the end of the alias chain cannot be forwarded.</summary>
    internal void Fail(ExtendedErrorCode reason)
    {
        ContinuesElsewhere = false;
        _answer.Writer.Clear();
        _answer.Rcode = Rcode.ServFail;
        _answer.Error = reason;
        _answer.IsAuthoritative = false;
    }

    /// <summary>Whether a name is forwarded: its forwarded zone is longer than any served zone.</summary>
    private bool Leaves(scoped ref readonly LookupName name, int servedLabels)
    {
        if (_forwarded is null) return false;
        int skipped = Query.Type == RRType.DS && name.LabelCount > 0 ? 1 : 0;
        if (_forwarded.ZoneLabels(in name, skipped) <= servedLabels) return false;
        // A name that was forwarded before closes an alias loop, which ends here.
        if (_visited[.._visitedCount].Contains(name.Hash)) return true;
        if (TSteps.IsTraced) _answer.Steps.OnElsewhere(in name);
        _elsewhere.Set(name.Octets);
        ContinuesElsewhere = true;
        return true;
    }

    /// <param name="position">Where they start; on return, where they end.</param>
    /// <param name="target">Receives the target of the last CNAME.</param>
    /// <param name="targetOffset">Where that was written.</param>
    private bool TryAppend(
        scoped ReadOnlySpan<byte> message, Section section, int count, scoped ref int position,
        scoped Span<byte> target, scoped ref int targetOffset)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        byte[] rdata = _answer.Worker.Rdata;
        RecordReader records = new(message, position, count);
        while (records.TryRead())
        {
            if (!records.TryExpandOwner(owner, out int length) || !records.TryReadRdata(rdata, out int written))
                return false;
            ReadOnlySpan<byte> octets = rdata.AsSpan(0, written);
            if (!_answer.Writer.TryWriteRelayed(section, owner[..length], records.Type, records.Ttl, octets))
                return false;
            if (records.Type != RRType.CNAME) continue;
            octets.CopyTo(target);
            targetOffset = _answer.Writer.HostOffset(0);
        }
        position = records.Position;
        return !records.IsMalformed;
    }
}
