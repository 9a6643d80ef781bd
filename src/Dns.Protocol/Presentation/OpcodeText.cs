namespace Dns.Protocol.Presentation;

/// <summary>Mnemonics of opcodes in the registry's spelling, in capitals.</summary>
public static class OpcodeText
{
    private static readonly string[] Mnemonics =
        [.. Enumerable.Range(0, 16).Select(value => Spell((Opcode)value))];

    /// <summary>The mnemonic, such as QUERY, or OPCODE and the number. Allocates only above 15.</summary>
    public static string Format(Opcode opcode) =>
        (int)opcode < Mnemonics.Length ? Mnemonics[(int)opcode] : $"OPCODE{(byte)opcode}";

    private static string Spell(Opcode opcode) =>
        Enum.IsDefined(opcode) ? opcode.ToString().ToUpperInvariant() : $"OPCODE{(byte)opcode}";
}
