using System.Buffers;

namespace Dns.Protocol.RecordData;

/// <content>RDATA as one line of text, for commands, databases and tests; master files have their own tokens.</content>
public static partial class Rdata
{
    private const int FewTokens = 32;

    /// <summary>Parses RDATA from a line, in the type's own form or as <c>\# LENGTH HEX</c> (RFC 3597 §5).</summary>
    /// <param name="type">Types without a form of their own accept <c>\#</c> only; meta-types nothing.</param>
    /// <param name="text">The line, without comments and parentheses.</param>
    /// <param name="origin">The origin of relative names: a valid wire name, or empty for none.</param>
    /// <param name="destination">At least 65,535 octets.</param>
    /// <param name="written">Length of the RDATA; 0 on failure.</param>
    /// <param name="error">The error; defined on failure only.</param>
    public static bool TryParse(
        RRType type, ReadOnlySpan<byte> text, ReadOnlySpan<byte> origin, Span<byte> destination, out int written,
        out RdataSyntaxError error)
    {
        written = 0;
        int most = LineTokens.MaxCount(text.Length);
        TextToken[]? rented = most > FewTokens ? ArrayPool<TextToken>.Shared.Rent(most) : null;
        Span<TextToken> tokens = rented ?? stackalloc TextToken[FewTokens];
        bool isGood = LineTokens.TryCut(text, tokens, out int count, out error);
        if (isGood)
        {
            TokenReader reader = new(text, tokens[..count], origin);
            isGood = TryParse(type, ref reader, destination, out written, out RdataTextError wrong);
            int column = wrong.TokenIndex < count ? tokens[wrong.TokenIndex].Column : text.Length + 1;
            if (!isGood) error = new RdataSyntaxError(column, wrong.Expected);
        }
        if (rented is not null) ArrayPool<TextToken>.Shared.Return(rented);
        return isGood;
    }

    /// <summary>Parses RDATA from a line of UTF-8.</summary>
    /// <param name="origin">The origin of relative names; null = none.</param>
    /// <exception cref="FormatException">Not RDATA of the type; the message has column and expected form.</exception>
    public static byte[] Parse(RRType type, string text, DomainName? origin = null)
    {
        byte[] room = ArrayPool<byte>.Shared.Rent(MaxOctets);
        try
        {
            ReadOnlySpan<byte> completes = origin is null ? default : origin.Octets;
            return TryParse(type, Encoding.UTF8.GetBytes(text), completes, room, out int written,
                out RdataSyntaxError error)
                ? room[..written] : throw new FormatException($"{RRTypeText.Format(type)} \"{text}\", {error}");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(room);
        }
    }

    /// <summary>The presentation form as a string, ASCII only.</summary>
    public static string Format(RRType type, ReadOnlySpan<byte> rdata)
    {
        ArrayBufferWriter<byte> text = new(64);
        Format(type, rdata, text);
        return Encoding.ASCII.GetString(text.WrittenSpan);
    }
}
