namespace Dns.Protocol.Presentation;

/// <summary>Mnemonics of RCODEs in the registry's spelling, in capitals.</summary>
public static class RcodeText
{
    private static readonly string[] Mnemonics =
        [.. Enumerable.Range(0, 24).Select(value => Spell((Rcode)value))];

    /// <summary>The mnemonic, such as NXDOMAIN, or RCODE and the number. Allocates only for the latter.</summary>
    public static string Format(Rcode rcode) =>
        (int)rcode < Mnemonics.Length ? Mnemonics[(int)rcode] : $"RCODE{(ushort)rcode}";

    private static string Spell(Rcode rcode) =>
        Enum.IsDefined(rcode) ? rcode.ToString().ToUpperInvariant() : $"RCODE{(ushort)rcode}";
}
