using System.Buffers;

namespace Dns.Protocol.RecordData;

/// <summary>RDATA of every type: parsing from messages and text, validation, formatting, canonical form.</summary>
/// <remarks>
/// RDATA is represented by its octets on the wire only. <see cref="RdataTable"/> describes their fields; types without
/// a row there are opaque (RFC 3597). Stateless and thread-safe.
/// </remarks>
public static partial class Rdata
{
    // Longer than names of usual RDATA; what is longer is copied to the heap.
    private const int MaxStackOctets = 1024;

    // A bit for each type: all types of RFC 1035 with names are below 64.
    private static readonly ulong CompressibleTypes = FindCompressibleTypes();

    /// <summary>The maximum length of RDATA.</summary>
    public const int MaxOctets = ushort.MaxValue;

    /// <summary>Copies RDATA of a message to the destination with names expanded, and checks it strictly.</summary>
    /// <remarks>
    /// Other servers compress names also where they must not (RFC 3597 §4): in SVCB, NSEC or RRSIG. Such names are
    /// expanded as well, unless strict. Pointers must lead backwards, and no name may exceed the RDATA. Never throws.
    /// </remarks>
    /// <param name="type">The type; RDATA of unknown types and meta-types is copied unchanged.</param>
    /// <param name="message">The whole message from its header.</param>
    /// <param name="destination">At least 65535 octets.</param>
    /// <param name="written">Length of the uncompressed RDATA; 0 on failure.</param>
    /// <param name="isStrict">
    /// Whether to accept compressed names in the types of RFC 1035 and those that RFC 3597 §4 lists only.
    /// </param>
    /// <returns>False if the RDATA is malformed or runs past the message.</returns>
    public static bool TryRead(
        RRType type, ReadOnlySpan<byte> message, int position, int lengthOctets, Span<byte> destination,
        out int written, bool isStrict = false)
    {
        written = 0;
        if ((uint)position > (uint)message.Length || (uint)lengthOctets > (uint)(message.Length - position))
            return false;
        RdataLayout layout = RdataTable.Find(type);
        if (!layout.Has(RdataTraits.MayArriveCompressed))
        {
            ReadOnlySpan<byte> rdata = message.Slice(position, lengthOctets);
            if (IsValid(type, rdata))
            {
                rdata.CopyTo(destination);
                written = lengthOctets;
                return true;
            }
            if (isStrict || !layout.HasName) return false;
        }
        ReadOnlySpan<byte> bounded = message[..(position + lengthOctets)];
        int length = 0;
        foreach (RdataField field in layout.Fields)
        {
            // Expansion adds two names at most to RDLENGTH; fields that extend to the end do not exceed it.
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

    /// <summary>Whether uncompressed RDATA is valid for its type; unknown types allow any up to 65535 octets.</summary>
    public static bool IsValid(RRType type, ReadOnlySpan<byte> rdata) =>
        rdata.Length <= MaxOctets
        && RdataWire.Fits(RdataTable.Find(type), rdata)
        && RdataRules.FindFault(type, rdata) is null;

    /// <summary>Finds in valid RDATA what others reject: BIND drops a whole transfer with such a record.</summary>
    /// <returns>What is found, as text behind "found"; null for none.</returns>
    public static string? FindPortabilityFault(RRType type, ReadOnlySpan<byte> rdata) =>
        RdataRules.FindPortabilityFault(type, rdata);

    /// <summary>Whether a type is for questions or messages only (RFC 6895 §3.1): OPT, 128 to 255, type 0.</summary>
    public static bool IsMeta(RRType type) => type is RRType.OPT or 0 || (ushort)type is >= 128 and <= 255;

    /// <summary>Parses all tokens left: the type's form, or <c>\# LENGTH HEX</c> checked as from the wire.</summary>
    /// <param name="type">Types without a form of their own accept <c>\#</c> only; meta-types nothing.</param>
    /// <param name="tokens">A reader at the first token of the RDATA; on success it is behind the last.</param>
    /// <param name="destination">At least 65535 octets.</param>
    /// <param name="written">Length of the RDATA; 0 on failure.</param>
    /// <param name="error">What was expected at which token; defined on failure only.</param>
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

    // Fast path: half of all records are of this type. Anything but a plain address takes the general path.
    private static bool TryParseAddress(ref TokenReader tokens, Span<byte> destination)
    {
        if (tokens.Remaining != 1 || !tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !Ipv4Text.TryParse(text, out uint address)) return false;
        BinaryPrimitives.WriteUInt32BigEndian(destination, address);
        tokens.Position++;
        return true;
    }

    /// <summary>Whether the text of valid RDATA has all of it: that of WKS ends with the last port.</summary>
    private static bool HasText(RRType type, ReadOnlySpan<byte> rdata) =>
        type != RRType.WKS || rdata.Length == RdataRules.WksFixedOctets || rdata[^1] != 0;

    private static bool TryParse(RRType type, ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (IsMeta(type))
            return rdata.Fail("a type of zone records; this one is for queries or messages only");
        RdataLayout layout = RdataTable.Find(type);
        if (!tokens.TryPeek(out ReadOnlySpan<byte> first, out bool isQuoted) || isQuoted ||
            !first.SequenceEqual("\\#"u8))
            return RdataParser.TryParse(layout, ref tokens, ref rdata);
        tokens.Position++;
        if (!RdataParser.TryParseGeneric(ref tokens, ref rdata)) return false;
        if (RdataWire.Fits(layout, rdata.Written)) return true;
        tokens.Position--;
        return rdata.Fail("octets that are well-formed RDATA of this type");
    }

    /// <summary>
    /// Writes the presentation form: absolute names, quoted character-strings, upper-case hexadecimal, one line without
    /// its end. RDATA that is invalid, or has octets that text lacks, is <c>\# LENGTH HEX</c>.
    /// </summary>
    public static void Format(RRType type, ReadOnlySpan<byte> rdata, IBufferWriter<byte> output)
    {
        PresentationWriter writer = new(output);
        bool isGeneric = !IsValid(type, rdata) || !HasText(type, rdata);
        if (isGeneric) RdataFormatter.WriteGeneric(rdata, ref writer);
        else RdataFormatter.Write(RdataTable.Find(type), rdata, ref writer);
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
    /// Lowers, in place, the names in valid RDATA of the types in RFC 4034 §6.2 as amended by RFC 6840 §5.1: the signer
    /// of RRSIG is lowered, the next name of NSEC is not. Other RDATA is unchanged.
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

    /// <summary>
    /// Whether valid RDATA is equal, ignoring the case of names that <see cref="ToCanonical"/> lowers.
    /// </summary>
    /// <param name="type">The type of both.</param>
    public static bool AreEqual(RRType type, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        if (left.SequenceEqual(right)) return true;
        if (!HasLoweredNames(type) || !WireName.EqualsIgnoreCase(left, right)) return false;
        byte[] one = left.ToArray(), other = right.ToArray();
        ToCanonical(type, one);
        ToCanonical(type, other);
        return one.AsSpan().SequenceEqual(other);
    }

    /// <summary>
    /// A hash of valid RDATA; equal records (<see cref="AreEqual"/>) have the same. Seeded once per process, so that
    /// records cannot be chosen to collide.
    /// </summary>
    public static int HashOf(RRType type, ReadOnlySpan<byte> rdata)
    {
        if (!HasLoweredNames(type)) return Fold(NameHash.OfOctets(rdata));
        Span<byte> canonical =
            rdata.Length <= MaxStackOctets ? stackalloc byte[MaxStackOctets] : new byte[rdata.Length];
        canonical = canonical[..rdata.Length];
        rdata.CopyTo(canonical);
        ToCanonical(type, canonical);
        return Fold(NameHash.OfOctets(canonical));
    }

    private static int Fold(ulong hash) => (int)(hash ^ hash >> 32);

    private static bool HasLoweredNames(RRType type) => RdataTable.Find(type).Has(RdataTraits.LowersNames);

    /// <summary>Whether RDATA of a type begins with names that may be compressed in answers (RFC 3597 §4).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool HasCompressibleNames(RRType type) =>
        (uint)type < 64 && (CompressibleTypes >> (int)type & 1) != 0;

    /// <summary>The names in RDATA that an answer may compress: those of types in RFC 1035 (RFC 3597 §4).</summary>
    /// <param name="prefixOctets">Octets in front of the first name.</param>
    /// <param name="nameCount">The number of consecutive names, 1 or 2.</param>
    /// <returns>False for all other types.</returns>
    public static bool TryGetCompressibleNames(RRType type, out int prefixOctets, out int nameCount)
    {
        prefixOctets = nameCount = 0;
        if (!HasCompressibleNames(type)) return false;
        prefixOctets = type == RRType.MX ? sizeof(ushort) : 0;
        nameCount = type is RRType.SOA or RRType.MINFO ? 2 : 1;
        return true;
    }

    /// <summary>Whether a word of RDATA text may be free text, as a character-string, not a name or keyword.</summary>
    /// <param name="wordIndex">The index of the word, from 0.</param>
    public static bool TakesText(RRType type, int wordIndex)
    {
        // Every field in front of a name is one word; a field of several words is the last one.
        RdataField[] fields = RdataTable.Find(type).Fields;
        return fields[Math.Min(wordIndex, fields.Length - 1)]
            is RdataField.CharacterString or RdataField.CharacterStrings
            or RdataField.OptionalCharacterString or RdataField.Text or RdataField.NonEmptyText or RdataField.SvcParams;
    }

    /// <summary>The target of additional-section processing, as of NS or MX: part of valid RDATA, or empty.</summary>
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
