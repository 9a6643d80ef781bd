namespace Dns.Zones.MasterFiles;

/// <content>One record: TTL, class, type and RDATA.</content>
internal sealed partial class MasterFileReader
{
    private const int MaxTtl = int.MaxValue;

    // The word of an RRSIG's expiration; the inception follows.
    private const int FirstDate = 4;

    private bool TryReadRecord(ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, int position)
    {
        bool hasOwner = position > 0;
        _first = _firstOfRdata = tokens[0];
        if (!TryReadPrefix(text, tokens, ref position, out bool hasTtl)) return false;
        if (position < tokens.Length) _firstOfRdata = tokens[position];
        var rdata = new TokenReader(text, tokens[position..], _context.Origin);
        if (!Protocol.RecordData.Rdata.TryParse(Type, ref rdata, _rdata, out _rdataLength, out RdataTextError error))
            return FailRdata(text, tokens[position..], error);
        if (!hasTtl && !TryFindTtl()) return false;
        if (Protocol.RecordData.Rdata.FindPortabilityFault(Type, Rdata) is { } fault) WarnOfPortability(fault);
        if (Type == RRType.SOA) CheckMailbox(text, tokens[position..]);
        if (Type is RRType.RRSIG or RRType.SIG) CheckDates(text, tokens[position..]);
        if (Type == RRType.TXT || hasOwner && MasterFileText.IsHash(text, tokens[0]))
            CheckComment(text, tokens, hasOwner, position);
        if (LooksForRawNames) FindRawNames(text, tokens, position, hasOwner);
        IsSameOwner = _context.IsOwnerDelivered;
        _context.IsOwnerDelivered = true;
        return true;
    }

    /// <summary>Reads TTL and class, in either order and optional, and the type.</summary>
    private bool TryReadPrefix(
        ReadOnlySpan<byte> text, ReadOnlySpan<TextToken> tokens, ref int position, out bool hasTtl)
    {
        hasTtl = false;
        IsClassStated = false;
        Class = _lastClass;
        for (; position < tokens.Length; position++)
        {
            TextToken token = tokens[position];
            ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
            if (!hasTtl && !word.IsEmpty && char.IsAsciiDigit((char)word[0]))
            {
                if (!TryParseTtl(text, token, out uint ttl)) return false;
                _lastTtl = Ttl = ttl;
                hasTtl = true;
            }
            else if (!IsClassStated && TryParseClass(word, out RRClass rrClass))
            {
                Class = _lastClass = rrClass;
                IsClassStated = true;
            }
            else return TryReadType(text, token, ref position);
        }
        return FailMissing(tokens, "a record type");
    }

    private bool TryReadType(ReadOnlySpan<byte> text, TextToken token, ref int position)
    {
        ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
        if (token.IsQuoted || !RRTypeText.TryParse(word, out RRType type))
        {
            string hint = MasterFileText.IsHash(text, token) ? "" : MasterFileText.Hint(text, _first);
            return Fail(text, token, "a record type" + hint);
        }
        if (Protocol.RecordData.Rdata.IsMeta(type)) return Fail(text, token, "a type that a zone can hold");
        Type = type;
        position++;
        return true;
    }

    private bool TryParseTtl(ReadOnlySpan<byte> text, TextToken token, out uint ttl)
    {
        ReadOnlySpan<byte> word = text.Slice(token.Offset, token.Length);
        if (token.IsQuoted || !TtlText.TryParse(word, out ttl))
        {
            ttl = 0;
            return Fail(text, token, "a TTL of 0 to 2147483647 seconds, such as 3600 or 1h30m");
        }
        if (ttl > MaxTtl) WarnOfTtl(ttl, token);
        return true;
    }

    /// <summary>
    /// The TTL of a record without one: that of <c>$TTL</c>, else the last one stated, else the minimum of this SOA,
    /// which then applies to the following records too.
    /// </summary>
    private bool TryFindTtl()
    {
        if ((_defaultTtl ?? _lastTtl) is { } known) Ttl = known;
        else if (Type == RRType.SOA)
        {
            _defaultTtl = Ttl = BinaryPrimitives.ReadUInt32BigEndian(Rdata[^4..]);
            if (Ttl > MaxTtl) WarnOfTtl(Ttl, _firstOfRdata);
        }
        else return Fail(_first, "found a record without a TTL, expected one here or $TTL before it");
        return true;
    }

    /// <summary>Reads a class: IN, CH, HS or CLASS123.</summary>
    internal static bool TryParseClass(ReadOnlySpan<byte> word, out RRClass rrClass)
    {
        // Nearly every class is IN, and only class and type are possible here.
        if (word.Length == 2 && (word[0] | 0x20) == 'i' && (word[1] | 0x20) == 'n')
        {
            rrClass = RRClass.IN;
            return true;
        }
        bool maybe = word.Length == 2 || (word.Length > 5 && Ascii.EqualsIgnoreCase(word[..5], "CLASS"u8));
        rrClass = default;
        return maybe && RRClassText.TryParse(word, out rrClass);
    }
}
