using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>What an entry is found by: all of a question, or of the name error or the failure that stands for it.</summary>
internal readonly ref struct EntryKey
{
    private EntryKey(ulong hash, ReadOnlySpan<byte> name, RRType type, RRClass rrClass, QuestionFlags flags, EntryTraits traits)
    {
        Hash = hash;
        Name = name;
        Type = type;
        Class = rrClass;
        Flags = flags;
        Traits = traits;
    }

    /// <summary>A hash of all parts.</summary>
    public ulong Hash { get; }

    /// <summary>The name in lower case.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>QTYPE; 0 for name errors.</summary>
    public RRType Type { get; }

    /// <summary>QCLASS.</summary>
    public RRClass Class { get; }

    /// <summary>DO and CD.</summary>
    public QuestionFlags Flags { get; }

    /// <summary>Answer, name error or failure.</summary>
    public EntryTraits Traits { get; }

    /// <summary>The key of an answer.</summary>
    public static EntryKey Of(in Question question) =>
        new(question.Hash, question.Name.Octets, question.Type, question.Class, question.Flags, EntryTraits.None);

    /// <summary>The key of "no such name", which holds for all types, about a suffix of the name.</summary>
    public static EntryKey OfNameError(in Question question, int skippedLabels) => new(
        Question.HashOf(question.Name.SuffixHash(skippedLabels), 0, question.Class, question.Flags),
        question.Name.Suffix(skippedLabels), 0, question.Class, question.Flags, EntryTraits.NameError);

    /// <summary>The key of a kept failure; beside that of the answer, so that neither takes the other's place.</summary>
    public static EntryKey OfFailure(in Question question) =>
        new(~question.Hash, question.Name.Octets, question.Type, question.Class, question.Flags, EntryTraits.Failure);

    /// <summary>The key of an entry that was saved, under this process' seed.</summary>
    public static EntryKey Of(in LookupName name, in EntryHeader header)
    {
        EntryTraits traits = header.Traits & EntryTraits.Kind;
        ulong hash = Question.HashOf(name.Hash, header.Type, header.Class, header.Flags);
        return new(traits == EntryTraits.Failure ? ~hash : hash, name.Octets, header.Type, header.Class, header.Flags, traits);
    }

    /// <summary>Whether an entry is this key's.</summary>
    /// <param name="header">The entry's header.</param>
    /// <param name="entry">The entry, with octets of others behind it.</param>
    public bool Matches(in EntryHeader header, ReadOnlySpan<byte> entry) =>
        header.Hash == Hash && header.Type == Type && header.Class == Class && header.Flags == Flags
        && (header.Traits & EntryTraits.Kind) == Traits && header.NameOctets == Name.Length
        && entry.Length >= EntryHeader.Bytes + Name.Length && entry.Slice(EntryHeader.Bytes, Name.Length).SequenceEqual(Name);
}
