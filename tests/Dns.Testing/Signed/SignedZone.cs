using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Dns.Testing;

/// <summary>How a test has a zone signed.</summary>
/// <param name="IsHashed">NSEC3 and not NSEC.</param>
/// <param name="OptsOut">Whether delegations without DS are left out of the chain (RFC 5155 §6).</param>
/// <param name="Iterations">Of NSEC3.</param>
/// <param name="Salt">Of NSEC3, in hexadecimal digits.</param>
/// <param name="HasSecondChain">Whether there is a chain of NSEC3 records that no NSEC3PARAM names.</param>
public sealed record SigningStyle(bool IsHashed, bool OptsOut = false, int Iterations = 0, string Salt = "",
    bool HasSecondChain = false);

/// <summary>
/// The records of a zone with those that signing adds, by the plainest means: names as text, sorted lists, the
/// library's hash. Signatures have the right fields and are no signatures.
/// </summary>
public sealed class SignedZone
{
    private const string Digits = "0123456789abcdefghijklmnopqrstuv";

    private readonly string _apex;
    private readonly SigningStyle _style;
    private readonly Dictionary<string, SortedSet<RRType>> _types = [];
    private readonly List<PlainRecord> _records;

    private SignedZone(string apex, IEnumerable<PlainRecord> plain, SigningStyle style)
    {
        (_apex, _style) = (apex, style);
        _records = [.. plain, new PlainRecord(apex, RRType.DNSKEY, 300, [1, 1, 3, 13, 1, 2, 3, 4])];
        if (style.IsHashed) _records.Add(new PlainRecord(apex, RRType.NSEC3PARAM, 0, [1, 0, .. Hashing(style)]));
        foreach (PlainRecord record in _records)
        {
            if (!_types.TryGetValue(record.Owner, out SortedSet<RRType>? types)) _types[record.Owner] = types = [];
            types.Add(record.Type);
        }
    }

    /// <summary>Signs a zone.</summary>
    public static IReadOnlyList<PlainRecord> Sign(string apex, IEnumerable<PlainRecord> plain, SigningStyle style)
    {
        SignedZone zone = new(apex, plain, style);
        if (!style.IsHashed) zone.AddNsec();
        else zone.AddNsec3(style);
        if (style.HasSecondChain) zone.AddNsec3(style with { Salt = style.Salt + "77" });
        zone.AddSignatures();
        return zone._records;
    }

    /// <summary>The hash of a name as the label of an NSEC3 record, in lower case.</summary>
    public static string Hash(string name, int iterations, byte[] salt)
    {
#pragma warning disable CA5350 // RFC 5155 says SHA-1.
        byte[] hash = SHA1.HashData([.. Wire(name), .. salt]);
        for (; iterations > 0; iterations--) hash = SHA1.HashData([.. hash, .. salt]);
#pragma warning restore CA5350
        return Base32(hash);
    }

    /// <summary>Octets in base 32 with the extended hex alphabet.</summary>
    public static string Base32(byte[] octets)
    {
        string bits = string.Concat(octets.Select(octet => octet.ToString("b8", CultureInfo.InvariantCulture)));
        return string.Concat(bits.Chunk(5).Select(digit => Digits[Convert.ToInt32(new string(digit), 2)]));
    }

    private static byte[] Wire(string name) => WireOctets.Name(name.Length == 0 ? "." : name);

    private static byte[] Unbase32(string text)
    {
        string bits =
            string.Concat(text.Select(digit => Digits.IndexOf(digit).ToString("b5", CultureInfo.InvariantCulture)));
        return [.. bits.Chunk(8).Select(octet => Convert.ToByte(new string(octet), 2))];
    }

    private static byte[] Hashing(SigningStyle style)
    {
        byte[] salt = Convert.FromHexString(style.Salt);
        return [.. WireOctets.UInt16(style.Iterations), (byte)salt.Length, .. salt];
    }

    private bool IsCut(string name) =>
        name != _apex && !name.StartsWith("*.", StringComparison.Ordinal) && Has(name, RRType.NS);

    private bool Has(string name, RRType type) =>
        _types.TryGetValue(name, out SortedSet<RRType>? types) && types.Contains(type);

    /// <summary>Whether a name lies below a cut or a DNAME.</summary>
    private bool IsOccluded(string name)
    {
        for (; name != _apex; name = NameOrder.Parent(name))
            if (IsCut(NameOrder.Parent(name)) || Has(NameOrder.Parent(name), RRType.DNAME)) return true;
        return false;
    }

    private bool IsSigned(string name, RRType type) =>
        !IsOccluded(name) && (!IsCut(name) || type is RRType.DS or RRType.NSEC);

    /// <summary>The types that the record of a name tells.</summary>
    private SortedSet<RRType> TypesOf(string name)
    {
        SortedSet<RRType> types = [];
        if (!_types.TryGetValue(name, out SortedSet<RRType>? own)) return types;
        foreach (RRType type in own)
            if (!IsCut(name) || type is RRType.NS or RRType.DS) types.Add(type);
        if (types.Any(type => IsSigned(name, type))) types.Add(RRType.RRSIG);
        return types;
    }

    private void AddNsec()
    {
        string[] names = [.. _types.Keys.Where(name => !IsOccluded(name)).Order(NameOrder.Canonical)];
        for (int i = 0; i < names.Length; i++)
        {
            SortedSet<RRType> types = [.. TypesOf(names[i]), RRType.RRSIG, RRType.NSEC];
            byte[] rdata = [.. Wire(names[(i + 1) % names.Length]), .. Bitmap(types)];
            _records.Add(new PlainRecord(names[i], RRType.NSEC, 300, rdata));
        }
    }

    private void AddNsec3(SigningStyle style)
    {
        byte[] salt = Convert.FromHexString(style.Salt);
        HashSet<string> names = [];
        foreach (string name in _types.Keys)
        {
            if (IsOccluded(name) || (style.OptsOut && IsCut(name) && !Has(name, RRType.DS))) continue;
            for (string above = name; names.Add(above) && above != _apex;) above = NameOrder.Parent(above);
        }
        (string Label, string Name)[] hashes =
            [.. names.Select(name => (Hash(name, style.Iterations, salt), name))
                .OrderBy(pair => pair.Item1, StringComparer.Ordinal)];
        for (int i = 0; i < hashes.Length; i++)
        {
            byte[] next = Unbase32(hashes[(i + 1) % hashes.Length].Label);
            byte[] rdata = [1, (byte)(style.OptsOut ? 1 : 0), .. Hashing(style), 20, .. next,
                .. Bitmap(TypesOf(hashes[i].Name))];
            _records.Add(new PlainRecord(_apex.Length == 0 ? hashes[i].Label : $"{hashes[i].Label}.{_apex}",
                RRType.NSEC3, 300, rdata));
        }
    }

    private void AddSignatures()
    {
        foreach (var rrset in _records.GroupBy(record => (record.Owner, record.Type)).ToArray())
        {
            (string owner, RRType type) = rrset.Key;
            bool isDenial = type is RRType.NSEC3;
            if (!isDenial && !IsSigned(owner, type)) continue;
            string[] labels = NameOrder.Labels(owner);
            int count = labels.Length - (labels.Length > 0 && labels[0] == "*" ? 1 : 0);
            uint ttl = rrset.Min(record => record.Ttl);
            // One signature a version of the RRset: a change of it is a change of its signature.
            byte[] signature = SHA256
                .HashData(Encoding.ASCII.GetBytes(string.Join('\n', rrset.Select(record => record.Key).Order())))[..8];
            byte[] rdata =
            [
                .. WireOctets.UInt16((int)type), 13, (byte)count, .. WireOctets.UInt32(ttl),
                .. WireOctets.UInt32(2_000_000_000),
                .. WireOctets.UInt32(1_500_000_000), 0x30, 0x39, .. Wire(_apex), .. signature,
            ];
            _records.Add(new PlainRecord(owner, RRType.RRSIG, ttl, rdata));
        }
    }

    private static byte[] Bitmap(SortedSet<RRType> types)
    {
        List<byte> bitmap = [];
        foreach (var window in types.GroupBy(type => (int)type >> 8).OrderBy(window => window.Key))
        {
            byte[] bits = new byte[32];
            foreach (RRType type in window) bits[((int)type & 255) >> 3] |= (byte)(0x80 >> ((int)type & 7));
            int length = Array.FindLastIndex(bits, octet => octet != 0) + 1;
            bitmap.AddRange([(byte)window.Key, (byte)length, .. bits[..length]]);
        }
        return [.. bitmap];
    }
}
