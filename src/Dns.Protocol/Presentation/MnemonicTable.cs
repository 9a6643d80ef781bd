namespace Dns.Protocol.Presentation;

/// <summary>Maps mnemonics in any case to numbers without allocation, for the types of millions of records.</summary>
/// <remarks>Open addressing over the first eight octets packed into a word; immutable once built.</remarks>
internal sealed class MnemonicTable
{
    private struct Slot
    {
        public ulong Key;
        public ushort Value;
        public byte[] Mnemonic;
    }

    private const int SlotBits = 8;
    private readonly Slot[] _slots = new Slot[1 << SlotBits];
    private readonly Dictionary<ushort, string> _mnemonics = [];

    /// <summary>A table of the given pairs; at most half as many as there are slots.</summary>
    public MnemonicTable(IEnumerable<(string Mnemonic, ushort Value)> pairs)
    {
        foreach ((string mnemonic, ushort value) in pairs)
        {
            byte[] octets = Encoding.ASCII.GetBytes(mnemonic);
            ulong key = Pack(octets);
            int at = SlotOf(key);
            while (_slots[at].Mnemonic is not null) at = (at + 1) & (_slots.Length - 1);
            _slots[at] = new Slot { Key = key, Value = value, Mnemonic = octets };
            _mnemonics[value] = mnemonic;
        }
    }

    /// <summary>Finds the number of a mnemonic in any case.</summary>
    public bool TryFind(ReadOnlySpan<byte> text, out ushort value)
    {
        ulong key = Pack(text);
        for (int at = SlotOf(key); _slots[at].Mnemonic is not null; at = (at + 1) & (_slots.Length - 1))
        {
            ref Slot slot = ref _slots[at];
            if (slot.Key != key || !Ascii.EqualsIgnoreCase(slot.Mnemonic, text)) continue;
            value = slot.Value;
            return true;
        }
        value = 0;
        return false;
    }

    /// <summary>The mnemonic of a number, or null.</summary>
    public string? Find(ushort value) => _mnemonics.GetValueOrDefault(value);

    private static ulong Pack(ReadOnlySpan<byte> text)
    {
        ulong key = 0;
        for (int i = 0; i < Math.Min(text.Length, sizeof(ulong)); i++)
            key = key << 8 | (byte)(text[i] & ~0x20);
        return key;
    }

    private static int SlotOf(ulong key) => (int)(key * 0x9E3779B97F4A7C15 >> (64 - SlotBits));

    /// <summary>Reads <paramref name="prefix"/> in any case and a number, as in TYPE123 (RFC 3597 §5).</summary>
    public static bool TryParseNumbered(ReadOnlySpan<byte> text, ReadOnlySpan<byte> prefix, out ushort value)
    {
        value = 0;
        return text.Length > prefix.Length
            && Ascii.EqualsIgnoreCase(text[..prefix.Length], prefix)
            && NumberText.TryParse(text[prefix.Length..], out value);
    }
}
