using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// Answers that name hosts, as the encoder wrote them for earlier queries of one thread: referrals, NS, MX, SRV, SVCB, HTTPS
/// and NAPTR with the addresses that belong to them, and aliases with what they lead to in their zone. They are copied instead of
/// being encoded again.
/// </summary>
/// <remarks>
/// A ring of octets and a table of places in it. An answer is taken in when its name was asked for twice without two others of
/// the same places being missed in between, so names that are asked for once, however many, neither get in nor push anything out.
/// The oldest answer goes when the ring is full; those of a zone's earlier version are never found again. Belongs to one
/// thread: takes no lock, and allocates nothing after its first use.
/// </remarks>
internal sealed class ReadyAnswers
{
    /// <summary>The longest answer that is kept, in octets behind the question.</summary>
    internal const int MaxOctets = 1232;

    private const int RingOctets = 1 << 20;
    private const int Places = 1 << 13;

    /// <summary>An answer may have either of two places side by side: with one, two popular names of it push each other out.</summary>
    private const int Ways = 2;

    private const int TagShift = 48;
    private const ulong PositionMask = (1UL << TagShift) - 1;

    private readonly byte[] _ring = GC.AllocateUninitializedArray<byte>(RingOctets);

    /// <summary>For each place 16 bits of the key, and where in the sequence of all octets ever kept its answer starts; 0 = none.</summary>
    private readonly ulong[] _places = new ulong[Places];

    /// <summary>For each two places 16 bits of each of the keys that were looked for last without being found.</summary>
    private readonly ushort[] _missed = new ushort[Places];

    // Starts behind a whole ring, so that position 0 is out of date. What lies within one answer's size before it may be half overwritten.
    private ulong _head = RingOctets;

    /// <summary>Finds the answer to a question.</summary>
    /// <param name="key">Which answer.</param>
    /// <param name="answer">The answer; valid until the next is kept.</param>
    /// <param name="isWanted">If there is none: whether it should be kept once it is encoded.</param>
    internal bool TryFind(scoped in ReadyAnswerKey key, out ReadyAnswer answer, out bool isWanted)
    {
        ulong mixed = key.Mixed, tag = mixed >> TagShift;
        foreach (ulong place in PlacesOf(mixed))
        {
            ulong position = place & PositionMask;
            if (place >> TagShift != tag || _head - position > RingOctets - ReadyAnswer.MaxSize) continue;
            answer = new ReadyAnswer(_ring.AsSpan((int)(position & (RingOctets - 1))));
            isWanted = false;
            if (answer.Is(in key)) return true;
        }
        answer = default;
        Span<ushort> marks = _missed.AsSpan((int)mixed & (Places - Ways), Ways);
        isWanted = marks.Contains((ushort)tag);
        // Of the last two, so that two names that are asked for in turns both get in.
        if (!isWanted) (marks[0], marks[1]) = ((ushort)tag, marks[0]);
        return false;
    }

    /// <summary>Takes an answer in, or leaves it where copying could not make every answer of it that the encoder would make.</summary>
    /// <param name="key">Which answer.</param>
    /// <param name="message">The message up to the end of the records.</param>
    /// <param name="start">Where the records start.</param>
    /// <param name="counts">Number of records, section by section.</param>
    /// <param name="question">The question's name.</param>
    /// <param name="skip">Labels in front of the name that the answer is for.</param>
    internal void Keep(
        scoped in ReadyAnswerKey key, ReadOnlySpan<byte> message, int start, RecordCounts counts,
        scoped ref readonly LookupName question, int skip)
    {
        if (message.Length - start > MaxOctets) return;
        // An answer lies in one piece; what is left at the end of the ring is passed over.
        int left = RingOctets - (int)(_head & (RingOctets - 1));
        if (left < ReadyAnswer.MaxSize) _head += (uint)left;
        Span<byte> room = _ring.AsSpan((int)(_head & (RingOctets - 1)), ReadyAnswer.MaxSize);
        int size = ReadyAnswer.Write(room, in key, message, start, counts, in question, skip);
        if (size == 0) return;
        ulong mixed = key.Mixed;
        Span<ulong> places = PlacesOf(mixed);
        // The older of the two goes, which the ring would give up first.
        int way = (places[0] & PositionMask) <= (places[1] & PositionMask) ? 0 : 1;
        places[way] = mixed >> TagShift << TagShift | (_head & PositionMask);
        _head += (uint)size;
    }

    private Span<ulong> PlacesOf(ulong mixed) => _places.AsSpan((int)mixed & (Places - Ways), Ways);
}
