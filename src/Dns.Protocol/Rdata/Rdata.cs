using System.Runtime.CompilerServices;
using System.Buffers;
using System.Buffers.Binary;

namespace Dns.Protocol;

/// <summary>
/// RDATA of every type: read from messages and from text, checked, written as text, put into canonical form.
/// </summary>
/// <remarks>
/// RDATA is nothing but its octets on the wire; there is no other model of it. What the octets of a type
/// mean stands in <see cref="RdataTable"/>; types that have no row there are opaque (RFC 3597). Nothing
/// here keeps state, and all of it may be called from any thread.
/// </remarks>
public static partial class Rdata
{
    // One bit for each type: all that RFC 1035 has with names are below 64.
    private static readonly ulong CompressibleTypes = FindCompressibleTypes();

    /// <summary>The most octets of one record's RDATA.</summary>
    public const int MaxOctets = ushort.MaxValue;

    /// <summary>
    /// Copies the RDATA at <paramref name="position"/> of a message, compressed names expanded, to
    /// <paramref name="destination"/>, and checks it strictly.
    /// </summary>
    /// <remarks>
    /// Compressed names are accepted in the types of RFC 1035 and those that RFC 3597 §4 names. Pointers have
    /// to lead backwards, and no name may run past the RDATA's end. Never throws on what a message holds.
    /// </remarks>
    /// <param name="type">The record's type; unknown and meta types are copied as they are.</param>
    /// <param name="message">The whole message from its header.</param>
    /// <param name="position">Where the RDATA begins.</param>
    /// <param name="lengthOctets">RDLENGTH.</param>
    /// <param name="destination">At least 65535 octets.</param>
    /// <param name="written">Length of the uncompressed RDATA; 0 on failure.</param>
    /// <returns>False if the RDATA is malformed or runs past the message.</returns>
    public static bool TryRead(
        RRType type, ReadOnlySpan<byte> message, int position, int lengthOctets, Span<byte> destination, out int written)
    {
        written = 0;
        if ((uint)position > (uint)message.Length || (uint)lengthOctets > (uint)(message.Length - position)) return false;
        RdataLayout layout = RdataTable.Find(type);
        if (!layout.Has(RdataTraits.MayArriveCompressed))
        {
            ReadOnlySpan<byte> rdata = message.Slice(position, lengthOctets);
            if (lengthOctets > MaxOctets || !IsValid(type, rdata)) return false;
            rdata.CopyTo(destination);
            written = lengthOctets;
            return true;
        }
        ReadOnlySpan<byte> bounded = message[..(position + lengthOctets)];
        int length = 0;
        foreach (RdataField field in layout.Fields)
        {
            // Expanded names may make it longer than RDLENGTH, but by two names at most; the fields that
            // go to the end are not longer than RDLENGTH.
            if (destination.Length - length < WireName.MaxOctets + bounded.Length - position) return false;
            int octets = RdataWire.Copy(field, bounded, ref position, destination[length..]);
            if (octets < 0) return false;
            length += octets;
        }
        if (position != bounded.Length || length > MaxOctets) return false;
        if (RdataRules.FindFault(type, destination[..length]) is not null) return false;
        written = length;
        return true;
    }

    /// <summary>Whether uncompressed RDATA is valid for its type. Any octets are, up to 65535, for types without a known form.</summary>
    public static bool IsValid(RRType type, ReadOnlySpan<byte> rdata) =>
        rdata.Length <= MaxOctets
        && RdataWire.Fits(RdataTable.Find(type), rdata)
        && RdataRules.FindFault(type, rdata) is null;

    /// <summary>
    /// Whether a type is for questions or for the wire only (RFC 6895 §3.1) and so cannot stand in a zone:
    /// OPT, the range 128 to 255, and the reserved type 0.
    /// </summary>
    public static bool IsMeta(RRType type) => type is RRType.OPT or 0 || (ushort)type is >= 128 and <= 255;

    /// <summary>
    /// Reads RDATA from all remaining tokens of a record, either in the type's own form or as
    /// <c>\# LENGTH HEX</c>, which is checked like RDATA from the wire.
    /// </summary>
    /// <param name="type">The record's type. Types without a form of their own take <c>\#</c> only; meta types nothing.</param>
    /// <param name="tokens">A reader at the first token of the RDATA; on success it is behind the last.</param>
    /// <param name="destination">At least 65535 octets.</param>
    /// <param name="written">Length of the RDATA; 0 on failure.</param>
    /// <param name="error">What was expected, and at which token. Meaningful on failure only.</param>
    public static bool TryParse(
        RRType type, ref TokenReader tokens, Span<byte> destination, out int written, out RdataTextError error)
    {
        if (type == RRType.A && TryParseAddress(ref tokens, destination))
        {
            error = default;
            written = sizeof(uint);
            return true;
        }
        written = 0;
        RdataBuilder rdata = new(destination);
        if (!TryParse(type, ref tokens, ref rdata))
        {
            error = new RdataTextError(tokens.Position, rdata.Expected ?? "RDATA");
            return false;
        }
        if (RdataRules.FindFault(type, rdata.Written) is string expected)
        {
            error = new RdataTextError(tokens.Position - 1, expected);
            return false;
        }
        error = default;
        written = rdata.Length;
        return true;
    }

    // Half of all records are of this type; whatever is not plainly an address goes the general way.
    private static bool TryParseAddress(ref TokenReader tokens, Span<byte> destination)
    {
        if (tokens.Remaining != 1 || !tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !Ipv4Text.TryParse(text, out uint address)) return false;
        BinaryPrimitives.WriteUInt32BigEndian(destination, address);
        tokens.Position++;
        return true;
    }

    private static bool TryParse(RRType type, ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (IsMeta(type)) return rdata.Fail("a type that can stand in a zone; this one is for questions or messages only");
        RdataLayout layout = RdataTable.Find(type);
        if (!tokens.TryPeek(out ReadOnlySpan<byte> first, out bool isQuoted) || isQuoted || !first.SequenceEqual("\\#"u8))
            return RdataParser.TryParse(layout, ref tokens, ref rdata);
        tokens.Position++;
        if (!RdataParser.TryParseGeneric(ref tokens, ref rdata)) return false;
        if (RdataWire.Fits(layout, rdata.Written)) return true;
        tokens.Position--;
        return rdata.Fail("octets that are well-formed RDATA of this type");
    }

    /// <summary>
    /// Writes the presentation form: names absolute, character-strings quoted, hexadecimal in upper case,
    /// one line without its end. RDATA that is not valid is written as <c>\# LENGTH HEX</c>.
    /// </summary>
    public static void Format(RRType type, ReadOnlySpan<byte> rdata, IBufferWriter<byte> output)
    {
        PresentationWriter writer = new(output);
        if (IsValid(type, rdata)) RdataFormatter.Write(RdataTable.Find(type), rdata, ref writer);
        else RdataFormatter.WriteGeneric(rdata, ref writer);
        writer.Flush();
    }

    /// <summary>Writes <c>\# LENGTH HEX</c>, or <c>\# 0</c> if there are no octets (RFC 3597 §5).</summary>
    public static void FormatGeneric(ReadOnlySpan<byte> rdata, IBufferWriter<byte> output)
    {
        PresentationWriter writer = new(output);
        RdataFormatter.WriteGeneric(rdata, ref writer);
        writer.Flush();
    }

    /// <summary>
    /// Lowers, in place, the names in valid RDATA of the types that RFC 4034 §6.2 lists as RFC 6840 §5.1
    /// amends it: the signer of RRSIG is lowered, the next name of NSEC is not. Other RDATA stays as it is.
    /// </summary>
    public static void ToCanonical(RRType type, Span<byte> rdata)
    {
        RdataLayout layout = RdataTable.Find(type);
        if (!layout.Has(RdataTraits.LowersNames)) return;
        foreach (RdataField field in layout.Fields)
        {
            int length = RdataWire.Measure(field, rdata);
            if (length < 0) return;
            if (field == RdataField.Name) WireName.ToLower(rdata[..length], rdata[..length]);
            if (field == RdataField.A6 && rdata[0] != 0)
            {
                Span<byte> name = rdata[A6Field.NameAt(rdata[0])..length];
                WireName.ToLower(name, name);
            }
            rdata = rdata[length..];
        }
    }

    /// <summary>Whether RDATA of a type begins with names that may be compressed when they leave (RFC 3597 §4).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool HasCompressibleNames(RRType type) => (uint)type < 64 && (CompressibleTypes >> (int)type & 1) != 0;

    /// <summary>
    /// Says where an answer may compress names in RDATA: in NS, MD, MF, CNAME, SOA, MB, MG, MR, PTR, MINFO
    /// and MX only (RFC 3597 §4).
    /// </summary>
    /// <param name="type">The record's type.</param>
    /// <param name="prefixOctets">Octets in front of the first name.</param>
    /// <param name="nameCount">How many names follow each other there, 1 or 2.</param>
    /// <returns>False for all other types.</returns>
    public static bool TryGetCompressibleNames(RRType type, out int prefixOctets, out int nameCount)
    {
        prefixOctets = nameCount = 0;
        if (!HasCompressibleNames(type)) return false;
        prefixOctets = type == RRType.MX ? sizeof(ushort) : 0;
        nameCount = type is RRType.SOA or RRType.MINFO ? 2 : 1;
        return true;
    }

    /// <summary>
    /// Whether a word of RDATA text may be free text, such as a character-string, rather than a name or a word of ASCII.
    /// </summary>
    /// <param name="type">The record's type.</param>
    /// <param name="wordIndex">Which word of the RDATA it is, from 0.</param>
    public static bool TakesText(RRType type, int wordIndex)
    {
        // Every field in front of a name is one word; what takes several is the last one.
        RdataField[] fields = RdataTable.Find(type).Fields;
        return fields[Math.Min(wordIndex, fields.Length - 1)] is RdataField.CharacterString or RdataField.CharacterStrings
            or RdataField.OptionalCharacterString or RdataField.Text or RdataField.NonEmptyText or RdataField.SvcParams;
    }

    /// <summary>
    /// The name a record leads to, which additional-section processing looks up: of NS, CNAME, DNAME, PTR,
    /// MX, SRV, SVCB, HTTPS, NAPTR, AFSDB, KX, RT, LP and the like. A slice of valid RDATA, or empty.
    /// </summary>
    public static ReadOnlySpan<byte> TargetName(RRType type, ReadOnlySpan<byte> rdata)
    {
        RdataLayout layout = RdataTable.Find(type);
        if (!layout.Has(RdataTraits.HasTarget)) return default;
        foreach (RdataField field in layout.Fields)
        {
            int length = RdataWire.Measure(field, rdata);
            if (length < 0) return default;
            if (field == RdataField.Name) return rdata[..length];
            rdata = rdata[length..];
        }
        return default;
    }

    private static ulong FindCompressibleTypes()
    {
        ulong types = 0;
        for (int type = 0; type < 64; type++)
            if (RdataTable.Find((RRType)type).Has(RdataTraits.MayLeaveCompressed)) types |= 1UL << type;
        return types;
    }
}
