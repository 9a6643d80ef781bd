using System.Buffers.Text;
using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>Writes the text of key files; that of private ones into memory that is cleared.</summary>
internal static class KeyFileWriter
{
    internal static readonly string[] RsaFields =
    [
        "Modulus", "PublicExponent", "PrivateExponent", "Prime1", "Prime2", "Exponent1", "Exponent2", "Coefficient",
    ];

    internal static readonly string[] CurveFields = ["PrivateKey"];

    private const string Format = "Private-key-format: v1.3\n";
    private const int LineOctets = 64;

    internal static string FormatPublic(KeyFile file)
    {
        StringBuilder text = new();
        Dnskey key = file.Public;
        string role = key.IsSep ? "key" : "zone";
        string revoked = key.IsRevoked ? "revoked " : "";
        text.Append(CultureInfo.InvariantCulture,
            $"; This is a {revoked}{role}-signing key, keyid {key.Tag}, for {file.Zone}\n");
        foreach (var (name, get, _) in KeyTimeFields.All)
            if (get(file.Times) is DateTimeOffset time)
                text.Append(CultureInfo.InvariantCulture,
                    $"; {name}: {KeyTimeFields.Format(time)} ({KeyTimeFields.Describe(time)})\n");
        text.Append(file.Zone);
        if (file.Ttl is uint ttl) text.Append(CultureInfo.InvariantCulture, $" {ttl}");
        text.Append(CultureInfo.InvariantCulture, $" IN DNSKEY {key.Flags} 3 {(byte)key.Algorithm} ");
        return text.Append(Convert.ToBase64String(key.KeyOctets)).Append('\n').ToString();
    }

    internal static void WritePrivate(string path, KeyFile file, IJournalFiles? files)
    {
        using PrivateKeyParameters parameters = file.Key!.Export();
        string[] fields = DnssecAlgorithms.IsRsa(parameters.Algorithm) ? RsaFields : CurveFields;
        string rest = Rest(file);
        int most = Format.Length + LineOctets + rest.Length;
        for (int i = 0; i < fields.Length; i++)
            most += LineOctets + Base64.GetMaxEncodedToUtf8Length(parameters.Number(i).Length);
        byte[] text = GC.AllocateUninitializedArray<byte>(most, pinned: true);
        try
        {
            int length = Append(text, 0, Format);
            string mnemonic = DnssecAlgorithms.MnemonicOf(parameters.Algorithm);
            length = Append(text, length, $"Algorithm: {(byte)parameters.Algorithm} ({mnemonic})\n");
            for (int i = 0; i < fields.Length; i++)
            {
                length = Append(text, length, fields[i] + ": ");
                Base64.EncodeToUtf8(parameters.Number(i), text.AsSpan(length), out _, out int written);
                length = Append(text, length + written, "\n");
            }
            length = Append(text, length, rest);
            DurableFile.Write(path, text.AsSpan(0, length), isPrivate: true, files);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(text);
        }
    }

    private static string Rest(KeyFile file)
    {
        StringBuilder text = new();
        foreach (var (name, get, _) in KeyTimeFields.All)
            if (get(file.Times) is DateTimeOffset time)
                text.Append(name).Append(": ").Append(KeyTimeFields.Format(time)).Append('\n');
        foreach (string line in file.OtherLines) text.Append(line).Append('\n');
        return text.ToString();
    }

    private static int Append(byte[] text, int at, string part) => at + Encoding.ASCII.GetBytes(part, text.AsSpan(at));
}
