namespace Dns.Protocol.Presentation;

/// <summary>A registry of numbers with mnemonics; plain numbers are always accepted.</summary>
internal sealed class RegistryText((string Mnemonic, ushort Value)[] pairs)
{
    private readonly MnemonicTable _table = new(pairs);

    /// <summary>DNSSEC algorithms; of two mnemonics for a number, the one listed last is written.</summary>
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

    /// <summary>Protocols of KEY (RFC 2535 §7.1).</summary>
    public static RegistryText KeyProtocols { get; } = new(
        [("NONE", 0), ("TLS", 1), ("EMAIL", 2), ("DNSSEC", 3), ("IPSEC", 4), ("ALL", 255)]);

    private static RegistryText KeyFlags { get; } = new(
    [
        ("NOAUTH", 0x8000), ("NOCONF", 0x4000), ("NOKEY", 0xC000), ("FLAG2", 0x2000), ("EXTEND", 0x1000),
        ("FLAG4", 0x800), ("FLAG5", 0x400), ("USER", 0), ("ZONE", 0x100), ("HOST", 0x200), ("NTYP3", 0x300),
        ("FLAG8", 0x80), ("FLAG9", 0x40), ("FLAG10", 0x20), ("FLAG11", 0x10), ("SIG0", 0), ("SIG1", 1), ("SIG2", 2),
        ("SIG3", 3), ("SIG4", 4), ("SIG5", 5), ("SIG6", 6), ("SIG7", 7), ("SIG8", 8), ("SIG9", 9), ("SIG10", 10),
        ("SIG11", 11), ("SIG12", 12), ("SIG13", 13), ("SIG14", 14), ("SIG15", 15),
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

    /// <summary>Reads the flags of KEY: a number, or mnemonics with | between them (RFC 2535 §7.1).</summary>
    public static bool TryParseKeyFlags(ReadOnlySpan<byte> text, out ushort flags)
    {
        if (NumberText.TryParse(text, out flags)) return true;
        flags = 0;
        foreach (Range word in text.Split((byte)'|'))
        {
            if (!KeyFlags._table.TryFind(text[word], out ushort flag)) return false;
            flags |= flag;
        }
        return true;
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
