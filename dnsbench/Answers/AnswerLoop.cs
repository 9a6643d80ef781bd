using System.Runtime.CompilerServices;

namespace Dns.Bench;

/// <summary>Copies queries into slots one after the other and answers them there.</summary>
internal sealed class AnswerLoop
{
    internal const int Batch = 1024;
    private const int Slots = 64;
    private const int SlotOctets = 1280;
    private readonly byte[] _slots = new byte[Slots * SlotOctets];
    private readonly int[] _offsets = [.. Enumerable.Range(0, Slots).Select(i => i * SlotOctets)];
    private readonly int[] _lengths = new int[Slots];
    private readonly ClientAddress[] _clients = new ClientAddress[Slots];
    private readonly Responder _responder;
    private readonly QuerySet _queries;
    private QueryOrigin _origin = new(BenchZone.Client(), DnsTransport.Udp, now: 0);

    internal AnswerLoop(int names, string mix, int queries, bool edns)
        : this(BenchZone.Responder(names), QueryMix.Draw(mix, names, queries), edns)
    {
    }

    internal AnswerLoop(Responder responder, Question[] questions, bool edns, bool cookies = false,
        bool dnssecOk = false)
    {
        _responder = responder;
        _queries = new QuerySet(questions, edns, dnssecOk: dnssecOk, cookies: cookies);
        Array.Fill(_clients, BenchZone.Client());
        Verify();
    }

    internal int Count => _queries.Count;

    /// <summary>Answers every query once, one by one; the sum of the lengths.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal int Run()
    {
        int sum = 0;
        for (int i = 0; i < _queries.Count; i++)
        {
            int octets = Copy(i, i & (Slots - 1));
            sum += _responder.Respond(Slot(i & (Slots - 1)), octets, ref _origin);
        }
        return sum;
    }

    /// <summary>Answers every query once, in batches of the number of slots.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal int RunBatches()
    {
        int sum = 0;
        for (int first = 0; first < _queries.Count; first += Slots)
        {
            int count = Math.Min(Slots, _queries.Count - first);
            for (int i = 0; i < count; i++) _lengths[i] = Copy(first + i, i);
            _responder.RespondToBatch(new DatagramBatch(
                _slots, _offsets, SlotOctets, _lengths.AsSpan(0, count), _clients.AsSpan(0, count), now: 0));
            sum += _lengths[0];
        }
        return sum;
    }

    /// <summary>Only the copying into the slots, which is not part of the responder.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal int RunCopiesOnly()
    {
        int sum = 0;
        for (int i = 0; i < _queries.Count; i++) sum += Copy(i, i & (Slots - 1));
        return sum;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Copy(int query, int slot)
    {
        ReadOnlySpan<byte> octets = _queries[query];
        octets.CopyTo(Slot(slot));
        return octets.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<byte> Slot(int slot) => _slots.AsSpan(slot * SlotOctets, SlotOctets);

    private void Verify()
    {
        for (int i = 0; i < _queries.Count; i++)
        {
            int octets = _responder.Respond(Slot(0), Copy(i, 0), ref _origin);
            if (!_queries.IsExpected(i, Slot(0)[..octets]))
                throw new InvalidDataException($"not answered as expected: {Convert.ToHexString(_queries[i])}");
        }
    }
}
