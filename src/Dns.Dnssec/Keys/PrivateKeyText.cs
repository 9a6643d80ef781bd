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

    internal bool TryRead(
        ReadOnlySpan<byte> text, [NotNullWhen(true)] out PrivateKeyParameters? parameters,
        [NotNullWhen(false)] out TextFault? fault)
    {
        parameters = null;
        byte[]?[] numbers = new byte[PrivateKeyParameters.RsaFields][];
        try
        {
            fault = FindFault(text, numbers, out DnssecAlgorithm algorithm);
            if (fault is not null) return false;
            parameters = PrivateKeyParameters.TryMake(algorithm, numbers[..FieldsOf(algorithm).Length]!);
            if (parameters is not null) return true;
            fault = Fault(1, TextFaultKind.PrivateKey, DnssecAlgorithms.NameOf(algorithm));
            return false;
        }
        finally
        {
            foreach (byte[]? number in numbers) CryptographicOperations.ZeroMemory(number);
        }
    }

    private TextFault? FindFault(ReadOnlySpan<byte> text, byte[]?[] numbers, out DnssecAlgorithm algorithm)
    {
        algorithm = default;
        while (!text.IsEmpty)
        {
            _line++;
            int end = text.IndexOf((byte)'\n');
            ReadOnlySpan<byte> line = Trim(end < 0 ? text : text[..end]);
            text = end < 0 ? default : text[(end + 1)..];
            if (!line.IsEmpty && FindFault(line, ref algorithm, numbers) is { } fault) return fault;
        }
        if (algorithm == default) return Fault(1, TextFaultKind.Line, "Algorithm");
        string[] fields = FieldsOf(algorithm);
        int missing = Array.FindIndex(numbers[..fields.Length], number => number is null);
        return missing >= 0 ? Fault(1, TextFaultKind.Line, fields[missing]) : null;
    }

    private TextFault? FindFault(ReadOnlySpan<byte> line, ref DnssecAlgorithm algorithm, byte[]?[] numbers)
    {
        int colon = line.IndexOf((byte)':');
        if (colon < 0) return Fault(1, TextFaultKind.NameAndColon);
        string name = Encoding.Latin1.GetString(line[..colon]);
        ReadOnlySpan<byte> value = Trim(line[(colon + 1)..]);
        int column = colon + 3;
        if (name == "Private-key-format")
            return value.StartsWith("v1."u8) ? null : Fault(column, TextFaultKind.Format);
        if (name == "Algorithm")
            return DnssecAlgorithms.TryParse(FirstWord(value), out algorithm)
                ? null : Fault(column, TextFaultKind.KnownAlgorithm);
        int field = Array.IndexOf(FieldsOf(algorithm), name);
        if (field >= 0) return TryDecode(value, out numbers[field]) ? null : Fault(column, TextFaultKind.Number);
        foreach (var (timeName, _, with) in KeyTimeFields.All)
        {
            if (timeName != name) continue;
            if (!KeyTimeFields.TryParse(FirstWord(value), out DateTimeOffset time))
                return Fault(column, TextFaultKind.Time);
            Times = with(Times, time);
            return null;
        }
        _others.Add(Encoding.Latin1.GetString(line));
        return null;
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

    private TextFault Fault(int column, TextFaultKind kind, string? detail = null) =>
        new(kind, path, TextWord.LineAt(Math.Max(_line, 1), column), detail);
}
