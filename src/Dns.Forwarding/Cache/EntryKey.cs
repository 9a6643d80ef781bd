namespace Dns.Forwarding.Cache;

/// <summary>The key of an entry: a question, or its NXDOMAIN or failure.</summary>
internal readonly ref struct EntryKey
{
    private EntryKey(
        ulong hash, ReadOnlySpan<byte> name, RRType type, scoped in Question question, EntryTraits traits)
        : this(hash, name, type, question.Flags, question.View, traits)
    {
    }

    private EntryKey(
        ulong hash, ReadOnlySpan<byte> name, RRType type, QuestionFlags flags, ushort view, EntryTraits traits)
    {
        Hash = hash;
        Name = name;
        Type = type;
        Flags = flags;
        View = view;
        Traits = traits;
    }

    /// <summary>A hash of all parts.</summary>
    public ulong Hash { get; }

    /// <summary>The lower-case name.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>QTYPE; 0 for NXDOMAIN.</summary>
    public RRType Type { get; }

    /// <summary>DO and CD.</summary>
    public QuestionFlags Flags { get; }

    /// <summary>The number of the view.</summary>
    public ushort View { get; }

    /// <summary>Answer, NXDOMAIN or failure.</summary>
    public EntryTraits Traits { get; }

    public static EntryKey Of(in Question question) =>
        new(question.Hash, question.Name.Octets, question.Type, in question, EntryTraits.None);

    /// <summary>The key of an NXDOMAIN of a suffix of the name, for all types.</summary>
    public static EntryKey OfNameError(in Question question, int skippedLabels) => new(
        Question.HashOf(question.Name.SuffixHash(skippedLabels), 0, RRClass.IN, question.Flags, question.View),
        question.Name.Suffix(skippedLabels), 0, in question, EntryTraits.NameError);

    /// <summary>The key of a failure, separate from that of the answer, so that both can be cached.</summary>
    public static EntryKey OfFailure(in Question question) =>
        new(~question.Hash, question.Name.Octets, question.Type, in question, EntryTraits.Failure);

    /// <summary>The key of a loaded entry, under this process's hash seed.</summary>
    public static EntryKey Of(in LookupName name, in EntryHeader header)
    {
        EntryTraits traits = header.Traits & EntryTraits.Kind;
        ulong hash = Question.HashOf(name.Hash, header.Type, RRClass.IN, header.Flags, header.View);
        return new(traits == EntryTraits.Failure ? ~hash : hash, name.Octets, header.Type, header.Flags, header.View,
            traits);
    }

    /// <summary>Whether an entry has this key.</summary>
    /// <param name="entry">The entry, possibly followed by other octets.</param>
    public bool Matches(in EntryHeader header, ReadOnlySpan<byte> entry) =>
        header.Hash == Hash && header.Type == Type && header.View == View && header.Flags == Flags
        && (header.Traits & EntryTraits.Kind) == Traits && header.NameOctets == Name.Length
        && entry.Length >= EntryHeader.Bytes + Name.Length &&
        entry.Slice(EntryHeader.Bytes, Name.Length).SequenceEqual(Name);
}
