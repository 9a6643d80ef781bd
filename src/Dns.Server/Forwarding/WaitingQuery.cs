using System.Buffers;
using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>A query that waits for the answer of others. Pooled: it goes back as soon as it was answered.</summary>
internal sealed class WaitingQuery(ForwardingAdapter adapter) : IAnswerWaiter
{
    /// <summary>The most names that are asked for, one after the other, for one query whose aliases lead from zone to zone.</summary>
    private const int MaxParts = 8;

    /// <summary>After how long no further name is asked for: who asked has given up before its answer would come.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    private readonly byte[] _name = new byte[WireName.MaxOctets];
    private readonly List<Part> _parts = [];
    private DeferredQuery _query;
    private int _nameOctets;
    private int _spent;
    private int _keptBytes;

    /// <summary>An answer that led on. Kept here, since not all can be kept in the cache.</summary>
    internal sealed record Part(byte[] Name, RelayedAnswer Answer, byte[] Records);

    /// <inheritdoc/>
    public bool IsPatient => _query.IsProven;

    /// <summary>Whether an answer would come so late that it is not sent: as a datagram, to an address that may be forged.</summary>
    internal bool IsTooLate => !_query.IsProven && adapter.Clock.GetElapsedTime(_query.Origin.Now) > adapter.Forwarder.LatestDatagram;

    /// <summary>Queries sent to upstreams for it so far; no more than <see cref="Forwarder.MaxQueries"/> are.</summary>
    public ref int Spent => ref _spent;

    /// <summary>Takes up a query.</summary>
    public void Prepare(in DeferredQuery query, scoped in Question question, int spent)
    {
        _query = query;
        _spent = spent;
        SetAsked(in question);
    }

    /// <summary>Lets go of everything.</summary>
    public void Clear()
    {
        _query = default;
        LetGoOfParts();
        _parts.Clear();
    }

    /// <summary>Whether a question is the one that is waited for. Type, class and flags are those of the query in all of them.</summary>
    public bool HasAsked(scoped in Question question) => question.Name.Octets.SequenceEqual(_name.AsSpan(0, _nameOctets));

    /// <summary>Finds an answer that came before.</summary>
    public Part? FindPart(scoped in Question question)
    {
        foreach (Part part in _parts)
            if (question.Name.Octets.SequenceEqual(part.Name)) return part;
        return null;
    }

    /// <summary>Asks for the name that the answer leads on to, and waits once more.</summary>
    /// <returns>Whether it waits; then it is no longer the caller's, and may be answered already.</returns>
    public bool TryAskOn(
        scoped in Question question, in RelayedAnswer answer, ReadOnlySpan<byte> records, out ExtendedErrorCode reason)
    {
        reason = ExtendedErrorCode.Other;
        if (_parts.Count == MaxParts - 1 || _spent >= Forwarder.MaxQueries) return false;
        if (adapter.Clock.GetElapsedTime(_query.Origin.Now) > Patience) return false;
        int bytes = PartMemory.OverheadBytes + _nameOctets + records.Length;
        if (!adapter.Parts.TryTake(bytes)) return false;
        _keptBytes += bytes;
        _parts.Add(new Part(_name[.._nameOctets], answer, records.ToArray()));
        SetAsked(in question);
        ClientAddress client = _query.Origin.Client;
        AskResult result = adapter.Forwarder.Ask(in question, ref client, this, _spent);
        reason = ForwardingAdapter.ReasonOf(result);
        return result == AskResult.Joined;
    }

    /// <inheritdoc/>
    public void Complete(in RelayedAnswer answer, ReadOnlySpan<byte> records, ReadOnlySpan<TryReport> tries)
    {
        if (IsTooLate)
        {
            adapter.Forwarder.Counters.CountDiscarded();
            _query.Path.Abandon();
            adapter.Return(this);
            return;
        }
        // Behind an old answer the question is asked on.
        bool mayGoOn = answer.Error is ExtendedErrorCode.StaleAnswer or ExtendedErrorCode.StaleNxDomain;
        _spent += mayGoOn ? Forwarder.MaxQueriesForQuestion : tries.Length;
        int octets = _query.Path.RoomOctets;
        byte[] room = ArrayPool<byte>.Shared.Rent(octets);
        CompletedSource source = new(adapter.Forwarder, this, answer, records);
        int length;
        try
        {
            length = adapter.Responder.Resume(room.AsSpan(0, octets), in _query, ref source);
        }
        catch
        {
            // The caller reports it. The transport must not wait for this answer.
            _query.Path.Abandon();
            LetGoOfParts();
            throw;
        }
        if (length != Responder.ReplyDeferred) End(room.AsSpan(0, length), tries);
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
            adapter.Watch?.OnForwarded(answer, ref origin, tries);
        }
        adapter.Return(this);
    }

    private void LetGoOfParts() => adapter.Parts.Return(Interlocked.Exchange(ref _keptBytes, 0));

    private void SetAsked(scoped in Question question)
    {
        question.Name.Octets.CopyTo(_name);
        _nameOctets = question.Name.Length;
    }
}
