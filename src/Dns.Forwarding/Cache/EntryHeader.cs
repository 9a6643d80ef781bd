using System.Runtime.InteropServices;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>What an entry is about beside its question.</summary>
[Flags]
internal enum EntryTraits : byte
{
    /// <summary>An answer.</summary>
    None = 0,

    /// <summary>AD.</summary>
    AuthenticData = 1,

    /// <summary>"No such name": stands for every type, under type 0.</summary>
    NameError = 2,

    /// <summary>A kept failure (RFC 9520): no records.</summary>
    Failure = 4,

    /// <summary>Aliases alone, whose last target is asked for apart.</summary>
    LeadsOn = 8,

    /// <summary>An answer about names that aliases lead to, which may belong to another zone by now.</summary>
    Targets = 16,

    /// <summary>What tells kinds of entries apart, of which each has its own key.</summary>
    Kind = NameError | Failure,
}

/// <summary>
/// The start of an entry. Behind it stand the name in lower case, the offsets of the TTLs (16 bits each), the records, and
/// padding to eight bytes. Never changed once it can be found, but for <see cref="Generation"/>.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct EntryHeader
{
    /// <summary>Size of the structure in bytes.</summary>
    public const int Bytes = 36;

    /// <summary>The hash of the key.</summary>
    public ulong Hash;

    /// <summary>When it was stored, in units of <see cref="CacheClock"/>.</summary>
    public uint StoredAt;

    /// <summary>How long it is fresh.</summary>
    public uint LifetimeSeconds;

    /// <summary>
    /// Of what is about targets: <see cref="ZoneRouting.Generation"/> when it was last found that they belong to the zone whose upstream
    /// gave the answer. Four bytes at a multiple of four: the only part that changes while an entry can be found.
    /// </summary>
    public uint Generation;

    /// <summary>Length of the records.</summary>
    public ushort RecordOctets;

    /// <summary>Records of the answer section.</summary>
    public ushort AnswerCount;

    /// <summary>Records of the authority section.</summary>
    public ushort AuthorityCount;

    /// <summary>QTYPE; 0 for name errors.</summary>
    public RRType Type;

    /// <summary>QCLASS.</summary>
    public RRClass Class;

    /// <summary>DO and CD.</summary>
    public QuestionFlags Flags;

    /// <summary>Length of the name.</summary>
    public byte NameOctets;

    /// <summary>The response code.</summary>
    public byte Rcode;

    /// <summary>What the entry is about.</summary>
    public EntryTraits Traits;

    /// <summary>The extended error plus one; 0 for none.</summary>
    public byte Error;

    /// <summary>How often in a row it failed.</summary>
    public byte FailureCount;

    /// <summary>How many TTLs there are: one for each record.</summary>
    public readonly int TtlCount => AnswerCount + AuthorityCount;

    /// <summary>Length of the whole entry, a multiple of eight.</summary>
    public readonly int PaddedLength => (Length + 7) & ~7;

    /// <summary>Where the TTL offsets start.</summary>
    public readonly int TtlOffset => Bytes + NameOctets;

    /// <summary>Where the records start.</summary>
    public readonly int RecordOffset => TtlOffset + TtlCount * sizeof(ushort);

    /// <summary>Length of the entry without padding.</summary>
    public readonly int Length => RecordOffset + RecordOctets;

    /// <summary>QTYPE to show and to read it by: a name error holds for any.</summary>
    public readonly RRType QuestionType => Type == 0 ? RRType.ANY : Type;

    /// <summary>Whether it is aliases alone, whose last target is asked for apart.</summary>
    public readonly bool LeadsOn => (Traits & EntryTraits.LeadsOn) != 0;

    /// <summary>Length of the message that has the question and the records.</summary>
    public readonly int MessageOctets => MessageHeader.LengthOctets + NameOctets + 4 + RecordOctets;

    /// <summary>Code, counts and flags for who relays the answer.</summary>
    public readonly RelayedAnswer ToAnswer() => new()
    {
        Octets = RecordOctets,
        Rcode = (Rcode)Rcode,
        AnswerCount = AnswerCount,
        AuthorityCount = AuthorityCount,
        AuthenticData = (Traits & EntryTraits.AuthenticData) != 0,
        LeadsOn = LeadsOn,
        Error = Error == 0 ? null : (ExtendedErrorCode)(Error - 1),
    };
}
