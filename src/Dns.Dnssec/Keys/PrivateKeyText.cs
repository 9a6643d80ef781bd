using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>The text of a <c>.private</c> file: lines of name, colon and value. No secret becomes a string.</summary>
internal sealed class PrivateKeyText(string path)
{
    private readonly List<string> _others = [];
    private int _line;

    internal KeyTimes Times { get; private set; } = new();

    internal IReadOnlyList<string> OtherLines => _others;

    internal bool TryRead(ReadOnlySpan<byte> text, [NotNullWhen(true)] out PrivateKeyParameters? parameters,
        out string error)
    {
        byte[]?[] numbers = new byte[PrivateKeyParameters.RsaFields][];
        try
        {
            return TryRead(text, numbers, out parameters, out error);
        }
        finally
        {
            foreach (byte[]? number in numbers) CryptographicOperations.ZeroMemory(number);
        }
    }

    private bool TryRead(
        ReadOnlySpan<byte> text, byte[]?[] numbers, [NotNullWhen(true)] out PrivateKeyParameters? parameters,
        out string error)
    {
        parameters = null;
        DnssecAlgorithm algorithm = default;
        while (!text.IsEmpty)
        {
            _line++;
            int end = text.IndexOf((byte)'\n');
            ReadOnlySpan<byte> line = Trim(end < 0 ? text : text[..end]);
            text = end < 0 ? default : text[(end + 1)..];
            if (!line.IsEmpty && !TryReadLine(line, ref algorithm, numbers, out error)) return false;
        }
        if (algorithm == default) return Fail(1, "a line \"Algorithm: \"", out error);
        string[] fields = FieldsOf(algorithm);
        int missing = Array.FindIndex(numbers[..fields.Length], number => number is null);
        if (missing >= 0) return Fail(1, $"a line \"{fields[missing]}: \"", out error);
        parameters = PrivateKeyParameters.TryMake(algorithm, numbers[..fields.Length]!);
        error = "";
        return parameters is not null || Fail(1, $"a private key of {DnssecAlgorithms.NameOf(algorithm)}", out error);
    }

    private bool TryReadLine(ReadOnlySpan<byte> line, ref DnssecAlgorithm algorithm, byte[]?[] numbers,
        out string error)
    {
        error = "";
        int colon = line.IndexOf((byte)':');
        if (colon < 0) return Fail(1, "a name and a colon", out error);
        string name = Encoding.Latin1.GetString(line[..colon]);
        ReadOnlySpan<byte> value = Trim(line[(colon + 1)..]);
        int column = colon + 3;
        if (name == "Private-key-format")
            return value.StartsWith("v1."u8) || Fail(column, "the format v1.3", out error);
        if (name == "Algorithm")
            return DnssecAlgorithms.TryParse(FirstWord(value), out algorithm) ||
                Fail(column, "an algorithm that is known", out error);
        int field = Array.IndexOf(FieldsOf(algorithm), name);
        if (field >= 0) return TryDecode(value, out numbers[field]) || Fail(column, "a number in base 64", out error);
        foreach (var (timeName, _, with) in KeyTimeFields.All)
        {
            if (timeName != name) continue;
            if (!KeyTimeFields.TryParse(FirstWord(value), out DateTimeOffset time))
                return Fail(column, "a time as YYYYMMDDHHmmSS", out error);
            Times = with(Times, time);
            return true;
        }
        _others.Add(Encoding.Latin1.GetString(line));
        return true;
    }

    private static string[] FieldsOf(DnssecAlgorithm algorithm) =>
        DnssecAlgorithms.IsRsa(algorithm) ? KeyFileWriter.RsaFields : KeyFileWriter.CurveFields;

    private static bool TryDecode(ReadOnlySpan<byte> text, out byte[]? number)
    {
        byte[] buffer = GC.AllocateArray<byte>(Base64.GetMaxDecodedFromUtf8Length(text.Length), pinned: true);
        OperationStatus status = Base64.DecodeFromUtf8(text, buffer, out _, out int written);
        number = null;
        if (status != OperationStatus.Done || written == 0) return false;
        number = GC.AllocateUninitializedArray<byte>(written, pinned: true);
        buffer.AsSpan(0, written).CopyTo(number);
        CryptographicOperations.ZeroMemory(buffer);
        return true;
    }

    private static string FirstWord(ReadOnlySpan<byte> value) => Encoding.Latin1.GetString(value).Split(' ')[0];

    private static ReadOnlySpan<byte> Trim(ReadOnlySpan<byte> text) => text.Trim(" \t\r"u8);

    private bool Fail(int column, string expected, out string error)
    {
        error =
            string.Create(CultureInfo.InvariantCulture, $"{path}:{Math.Max(_line, 1)}:{column}: expected {expected}");
        return false;
    }
}
