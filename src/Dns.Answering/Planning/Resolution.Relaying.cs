using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <content>Names that lead out of the zones served, for clients that may have them followed.</content>
internal ref partial struct Resolution
{
    /// <summary>Whether that name is the question's own: nothing is written yet.</summary>
    internal readonly bool IsWhollyElsewhere => ContinuesElsewhere && _aliasCount == 0;

    /// <summary>Takes the answer of others for the name that the aliases end at.</summary>
    /// <param name="message">A message with the question about that name, and the records behind it.</param>
    /// <param name="question">That question.</param>
    /// <param name="answer">What stands in the message.</param>
    [SkipLocalsInit]
    internal void Append(ReadOnlySpan<byte> message, scoped Question question, scoped in RelayedAnswer answer)
    {
        int before = _writer.Position;
        var counts = (_writer.Count(Section.Answer), _writer.Count(Section.Authority), _writer.Count(Section.Additional));
        message = message[..(question.EndOffset + answer.Octets)];
        int position = question.EndOffset;
        bool fits = !answer.DoesNotFit
            && TryAppend(message, Section.Answer, answer.AnswerCount, ref position)
            && TryAppend(message, Section.Authority, answer.AuthorityCount, ref position);
        if (!fits)
        {
            _writer.Rewind(before, counts);
            IsTruncated = true;
        }
        Rcode = answer.Rcode;
        Error = answer.Error;
    }

    /// <summary>Ends without an answer: the name that the aliases end at cannot be asked for.</summary>
    internal void Fail(ExtendedErrorCode reason)
    {
        _writer.Clear();
        Rcode = Rcode.ServFail;
        Error = reason;
        IsAuthoritative = false;
    }

    /// <summary>
    /// Whether others are asked for a name: a longer zone of theirs holds it than any served (the served one wins a tie).
    /// </summary>
    private bool Leaves(scoped ref readonly LookupName name, int servedLabels)
    {
        if (_forwarded is null) return false;
        int skipped = _query.Type == RRType.DS && name.LabelCount > 0 ? 1 : 0;
        if (_forwarded.ZoneLabels(in name, skipped) <= servedLabels) return false;
        _elsewhere.Set(name.Octets);
        ContinuesElsewhere = true;
        return true;
    }

    private bool TryAppend(scoped ReadOnlySpan<byte> message, Section section, int count, scoped ref int position)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        byte[] rdata = RelayBuffers.Rdata;
        for (int i = 0; i < count; i++)
        {
            if (!WireName.TryExpand(message, ref position, owner, out int length)) return false;
            if (position + RelayBuffers.RecordFixedOctets > message.Length) return false;
            ReadOnlySpan<byte> fixedPart = message.Slice(position, RelayBuffers.RecordFixedOctets);
            RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(fixedPart);
            uint ttl = BinaryPrimitives.ReadUInt32BigEndian(fixedPart[4..]);
            int octets = BinaryPrimitives.ReadUInt16BigEndian(fixedPart[8..]);
            position += RelayBuffers.RecordFixedOctets;
            if (!Rdata.TryRead(type, message, position, octets, rdata, out int written)) return false;
            if (!_writer.TryWriteRelayed(section, owner[..length], type, ttl, rdata.AsSpan(0, written))) return false;
            position += octets;
        }
        return true;
    }
}
