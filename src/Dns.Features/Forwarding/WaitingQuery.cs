using System.Buffers;

namespace Dns.Features.Forwarding;

/// <summary>A query that waits for an upstream's answer. Pooled: returned as soon as it was answered.</summary>
public sealed class WaitingQuery(ForwardingAdapter adapter) : IAnswerWaiter
{
    /// <summary>Maximum names resolved one after the other for one query with aliases from zone to zone.</summary>
    private const int MaxParts = 8;

    /// <summary>After this time no further name is resolved: the client would have given up.</summary>
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(3);

    private readonly byte[] _name = new byte[WireName.MaxOctets];
    private readonly List<Part> _parts = [];
    private DeferredQuery _query;
    private int _nameOctets;
    private int _spent;
    private int _keptBytes;

    /// <summary>An earlier answer with an alias. Held here, since the cache may not have it.</summary>
    public sealed record Part(byte[] Name, RelayedAnswer Answer, byte[] Records);

    public bool IsProven => _query.IsProven;

    /// <summary>Whether an answer is too late to be sent as a datagram to an address that may be forged.</summary>
    internal bool IsTooLate =>
        !_query.IsProven && adapter.Clock.GetElapsedTime(_query.Origin.Now) > adapter.Forwarder.LatestDatagram;

    /// <summary>Upstream queries sent for it so far; at most <see cref="Forwarder.MaxQueries"/>.</summary>
    public ref int Spent => ref _spent;

    public bool Matches(ushort id, ReadOnlySpan<byte> question) => _query.Matches(id, question);

    public void Prepare(in DeferredQuery query, scoped in Question question, int spent)
    {
        _query = query;
        _spent = spent;
        SetQueried(in question);
    }

    public void Clear()
    {
        _query = default;
        ReleaseParts();
        _parts.Clear();
    }

    /// <summary>Whether a question is the pending one. Type, class and flags are always those of the query.</summary>
    public bool HasQueried(scoped in Question question) =>
        question.Name.Octets.SequenceEqual(_name.AsSpan(0, _nameOctets));

    public Part? FindPart(scoped in Question question)
    {
        foreach (Part part in _parts)
            if (question.Name.Octets.SequenceEqual(part.Name)) return part;
        return null;
    }

    /// <summary>Resolves the alias target of the answer, and waits again.</summary>
    /// <returns>Whether it waits; then the caller no longer owns it, and it may have been answered already.</returns>
    public bool TryFollowAlias(
        scoped in Question question, in RelayedAnswer answer, ReadOnlySpan<byte> records, out DeferralRefusal refusal)
    {
        refusal = new(ExtendedErrorCode.Other);
        if (_parts.Count == MaxParts - 1 || _spent >= Forwarder.MaxQueries) return false;
        TimeSpan waited = adapter.Clock.GetElapsedTime(_query.Origin.Now);
        if (waited > MaxWait) return false;
        int bytes = PartMemory.OverheadBytes + _nameOctets + records.Length;
        if (!adapter.Parts.TryTake(bytes, IsProven))
        {
            refusal = refusal with { WantsProof = !IsProven };
            return false;
        }
        _keptBytes += bytes;
        _parts.Add(new Part(_name[.._nameOctets], answer, records.ToArray()));
        SetQueried(in question);
        ClientAddress client = _query.Origin.Client;
        ForwardResult result = adapter.Forwarder.Forward(in question, ref client, this, _spent, waited);
        refusal = ForwardingAdapter.RefusalOf(result, IsProven);
        return result == ForwardResult.Joined;
    }

    public void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries)
    {
        if (IsTooLate)
        {
            adapter.Forwarder.Counters.CountDiscarded();
            _query.Path.Abandon();
            adapter.Return(this);
            return;
        }
        // After a stale answer the upstream query continues.
        _spent += answer.IsStale ? Forwarder.MaxQueriesForQuestion : tries.Length;
        int octets = _query.Path.RoomOctets;
        byte[] room = ArrayPool<byte>.Shared.Rent(octets);
        CompletedSource source = new(adapter.Forwarder, this, answer, records);
        ReplyOutcome reply;
        try
        {
            reply = adapter.Resume(room.AsSpan(0, octets), in _query, ref source);
        }
        catch
        {
            // The caller reports it. The transport must not wait for this answer.
            _query.Path.Abandon();
            ReleaseParts();
            throw;
        }
        if (!reply.IsDeferred) End(room.AsSpan(0, reply.Octets), tries);
        ArrayPool<byte>.Shared.Return(room);
    }

    /// <summary>Sends the answer, and reports how the last name was resolved.</summary>
    private void End(Span<byte> answer, ReadOnlySpan<TryReport> tries)
    {
        if (answer.IsEmpty) _query.Path.Abandon();
        else
        {
            _query.Path.Send(answer);
            QueryOrigin origin = _query.Origin;
            adapter.AnswerTimes?.OnForwarded(answer, ref origin, tries);
        }
        adapter.Return(this);
    }

    private void ReleaseParts() => adapter.Parts.Return(Interlocked.Exchange(ref _keptBytes, 0));

    private void SetQueried(scoped in Question question)
    {
        question.Name.Octets.CopyTo(_name);
        _nameOctets = question.Name.Length;
    }
}
