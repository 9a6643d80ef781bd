namespace Dns.Protocol;

/// <summary>What of a question, beside name, type and class, makes it another question with another answer.</summary>
[Flags]
public enum QuestionFlags : byte
{
    /// <summary>Neither of them.</summary>
    None = 0,

    /// <summary>DO: signatures are wanted (RFC 3225).</summary>
    DnssecOk = 1,

    /// <summary>CD: data that fails validation is wanted too (RFC 4035 §3.2.2).</summary>
    CheckingDisabled = 2,
}

/// <summary>
/// A question as it is asked, kept and joined. Refers to a name that lives on the stack of whoever asks; copies nothing.
/// </summary>
/// <param name="name">The name, lower-cased, with the hashes of its suffixes.</param>
/// <param name="type">QTYPE.</param>
/// <param name="class">QCLASS.</param>
/// <param name="flags">DO and CD.</param>
public readonly ref struct Question(ref readonly LookupName name, RRType type, RRClass @class, QuestionFlags flags)
{
    private const ulong Multiplier = 0x9FB21C651E98DF25;

    /// <summary>The name, lower-cased, with the hashes of its suffixes.</summary>
    public readonly ref readonly LookupName Name = ref name;

    /// <summary>QTYPE.</summary>
    public RRType Type { get; } = type;

    /// <summary>QCLASS.</summary>
    public RRClass Class { get; } = @class;

    /// <summary>DO and CD.</summary>
    public QuestionFlags Flags { get; } = flags;

    /// <summary>Where records start in a message with this question alone: 12 octets, the name, type and class.</summary>
    public int EndOffset => MessageHeader.LengthOctets + Name.Length + 4;

    /// <summary>A hash of all parts, seeded anew in each process: a key, once the parts are compared too.</summary>
    public ulong Hash => HashOf(Name.Hash, Type, Class, Flags);

    /// <summary>The hash of a question from its parts.</summary>
    /// <param name="nameHash">The hash of the name, of <see cref="NameHash"/>.</param>
    /// <param name="type">QTYPE.</param>
    /// <param name="class">QCLASS.</param>
    /// <param name="flags">DO and CD.</param>
    public static ulong HashOf(ulong nameHash, RRType type, RRClass @class, QuestionFlags flags)
    {
        ulong rest = (ulong)(ushort)type << 24 | (ulong)(ushort)@class << 8 | (byte)flags;
        ulong high = Math.BigMul(nameHash ^ rest * Multiplier, Multiplier, out ulong low);
        return high ^ low;
    }
}
