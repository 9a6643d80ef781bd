namespace Dns.Answering.Handling;

/// <summary>
/// The handlers by opcode and by meta-type. Immutable. Without a handler, an opcode is answered with NOTIMP, and a
/// meta-type with FORMERR, NOTIMP, REFUSED or NOTAUTH.
/// </summary>
public sealed class MessageHandlers
{
    private const int Opcodes = 16;

    private readonly IMessageHandler?[] _byOpcode = new IMessageHandler?[Opcodes];
    private readonly IMessageHandler?[] _byType = new IMessageHandler?[RRType.MAILA - RRType.TKEY + 1];

    /// <summary>The table without handlers.</summary>
    public static MessageHandlers None { get; } = new();

    /// <summary>A table with one more handler.</summary>
    /// <exception cref="ArgumentException">The opcode is QUERY, or has a handler.</exception>
    public MessageHandlers With(Opcode opcode, IMessageHandler handler)
    {
        if (opcode == Opcode.Query || Of(opcode) is not null)
            throw new ArgumentException($"{opcode} has a handler", nameof(opcode));
        MessageHandlers table = Copy();
        table._byOpcode[(int)opcode] = handler;
        return table;
    }

    /// <summary>A table with one more handler.</summary>
    /// <exception cref="ArgumentException">It is not a meta-type from TKEY to MAILA, or has a handler.</exception>
    public MessageHandlers With(RRType type, IMessageHandler handler)
    {
        if (type is < RRType.TKEY or > RRType.MAILA || Of(type) is not null)
            throw new ArgumentException($"{type} has a handler, or is not a meta-type", nameof(type));
        MessageHandlers table = Copy();
        table._byType[type - RRType.TKEY] = handler;
        return table;
    }

    internal IMessageHandler? Of(Opcode opcode) => _byOpcode[(int)opcode];

    internal IMessageHandler? Of(RRType type) =>
        type is < RRType.TKEY or > RRType.MAILA ? null : _byType[type - RRType.TKEY];

    private MessageHandlers Copy()
    {
        MessageHandlers copy = new();
        _byOpcode.CopyTo(copy._byOpcode, 0);
        _byType.CopyTo(copy._byType, 0);
        return copy;
    }
}
