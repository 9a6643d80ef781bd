namespace Dns.Protocol;

/// <summary>A registry of numbers that have mnemonics; a plain number is always read.</summary>
internal sealed class RegistryText((string Mnemonic, ushort Value)[] pairs)
{
    private readonly MnemonicTable _table = new(pairs);

    /// <summary>DNSSEC algorithms; where two spellings are in use, the one listed last is written.</summary>
    public static RegistryText Algorithms { get; } = new(
    [
        ("RSAMD5", 1), ("DH", 2), ("DSA", 3), ("RSASHA1", 5),
        ("DSA-NSEC3-SHA1", 6), ("NSEC3DSA", 6), ("RSASHA1-NSEC3-SHA1", 7), ("NSEC3RSASHA1", 7),
        ("RSASHA256", 8), ("RSASHA512", 10), ("ECC-GOST", 12), ("ECCGOST", 12), ("ECDSAP256SHA256", 13),
        ("ECDSAP384SHA384", 14), ("ED25519", 15), ("ED448", 16), ("SM2SM3", 17), ("ECC-GOST12", 23),
        ("INDIRECT", 252), ("PRIVATEDNS", 253), ("PRIVATEOID", 254),
    ]);

    /// <summary>Certificate types (RFC 4398 §2.1).</summary>
    public static RegistryText CertificateTypes { get; } = new(
    [
        ("PKIX", 1), ("SPKI", 2), ("PGP", 3), ("IPKIX", 4), ("ISPKI", 5), ("IPGP", 6), ("ACPKIX", 7),
        ("IACPKIX", 8), ("URI", 253), ("OID", 254),
    ]);

    /// <summary>Schemes of generalised notification (RFC 9859 §6.2).</summary>
    public static RegistryText NotifySchemes { get; } = new([("NOTIFY", 1)]);

    /// <summary>Reads a mnemonic in any case, or a number up to <paramref name="max"/>.</summary>
    public bool TryParse(ReadOnlySpan<byte> text, ushort max, out ushort value)
    {
        if (_table.TryFind(text, out value)) return true;
        bool parsed = NumberText.TryParse(text, max, out ulong number);
        value = (ushort)number;
        return parsed;
    }

    /// <summary>Writes the mnemonic, or the number where there is none.</summary>
    public void Write(ushort value, ref PresentationWriter writer)
    {
        string? mnemonic = _table.Find(value);
        if (mnemonic is null)
        {
            writer.Write((ulong)value);
            return;
        }
        foreach (char letter in mnemonic) writer.Write((byte)letter);
    }
}
