using System.Text.Json;

namespace Dns.Configuration.Reading;

/// <summary>
/// Reads a JSON settings file into <see cref="SettingNode"/>s that know their line and column. Comments and a comma
/// behind the last element are allowed, as in all .NET configuration.
/// </summary>
public ref struct SettingsFile
{
    /// <summary>The longest file: settings with a million zones have less.</summary>
    private const int MaxOctets = 128 << 20;

    private const string Value = "a value: text in double quotes, a number, true, false, null, [ ... ] or { ... }";

    private readonly string _file;
    private readonly ReadOnlySpan<byte> _json;
    private readonly List<SettingDiagnostic> _problems;
    private readonly DeclaredSettings _declared;
    private Utf8JsonReader _reader;
    private int _line = 1, _column = 1, _counted;
    private string _expected = Value;

    private SettingsFile(
        string file, ReadOnlySpan<byte> json, List<SettingDiagnostic> problems, DeclaredSettings declared)
    {
        _declared = declared;
        _file = file;
        _json = json;
        _problems = problems;
        _reader = new Utf8JsonReader(json, new JsonReaderOptions
        {
            AllowTrailingCommas = true,
            CommentHandling = JsonCommentHandling.Skip,
        });
    }

    /// <summary>Reads a file, whose path is shown as given; null if it cannot be read or is not JSON.</summary>
    public static SettingNode? Read(string file, List<SettingDiagnostic> problems, DeclaredSettings declared)
    {
        try
        {
            return Parse(file, ReadOctets(file), problems, declared);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            string why = error is FileNotFoundException or DirectoryNotFoundException
                ? "the settings file does not exist"
                : Directory.Exists(file) ? "the settings file is a directory"
                : error is UnauthorizedAccessException
                    ? $"permission denied: {Environment.UserName} may not read the settings file"
                : "cannot read the settings file: " + error.Message;
            problems.Add(new SettingDiagnostic(new SettingLocation(file), why));
            return null;
        }
    }

    /// <summary>Reads JSON text; <paramref name="file"/> is only shown.</summary>
    public static SettingNode? Parse(
        string file, ReadOnlySpan<byte> json, List<SettingDiagnostic> problems, DeclaredSettings declared)
    {
        if (json.StartsWith(Encoding.UTF8.Preamble)) json = json[Encoding.UTF8.Preamble.Length..];
        if (ForeignText.FindEncoding(json, out int octet) is { } encoding)
        {
            problems.Add(new(new SettingsFile(file, json, problems, declared).LocationOf(octet), encoding));
            return null;
        }
        SettingsFile parser = new(file, json, problems, declared);
        try
        {
            return parser.ReadRoot();
        }
        catch (JsonException error)
        {
            // The reader's message repeats the text, which may be a secret.
            int at = OffsetOf(json, (int)(error.LineNumber ?? 0), (int)(error.BytePositionInLine ?? 0));
            SettingDiagnostic problem = ForeignText.FindFormat(json, out int start) is { } format
                ? new(new SettingsFile(file, json, problems, declared).LocationOf(start), format)
                : new(new SettingsFile(file, json, problems, declared).LocationOf(at),
                    "not valid JSON: " + parser.DescribeFault(at));
            problems.Add(problem);
            return null;
        }
    }

    private static byte[] ReadOctets(string file)
    {
        using FileStream stream =
            new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        MemoryStream octets = new();
        byte[] piece = new byte[64 * 1024];
        // A device may have no end.
        while (stream.Read(piece) is > 0 and int read)
        {
            if (octets.Length + read > MaxOctets) throw new IOException($"it has more than {MaxOctets >> 20} MiB");
            octets.Write(piece, 0, read);
        }
        return octets.ToArray();
    }

    /// <summary>The position in the text of a line and an octet in it, both from 0.</summary>
    private static int OffsetOf(ReadOnlySpan<byte> json, int line, int octet)
    {
        int start = 0;
        for (; line > 0 && json[start..].IndexOf((byte)'\n') is >= 0 and int end; line--) start += end + 1;
        return Math.Min(start + octet, json.Length);
    }

    /// <summary>Describes the expected token at the position of a syntax error.</summary>
    private string DescribeFault(int at)
    {
        if (_json.Trim(" \t\r\n"u8).IsEmpty) return "the file is empty";
        int token = (int)_reader.BytesConsumed;
        while (token < _json.Length && " \t\r\n,:"u8.Contains(_json[token])) token++;
        bool isText = token < at && _json[token] == (byte)'"';
        if (at >= _json.Length || token >= _json.Length) return "the file ends too early: a }, ] or \" is missing";
        if (isText && _json[at] < ' ')
            return "text in quotes has to end on its line: a \" is missing, or \\n for the end of a line";
        if (isText) return "a \\ in text is written \\\\";
        return _json[at] == (byte)'\'' ? "text is in double quotes" : "expected " + _expected;
    }

    private SettingNode? ReadRoot()
    {
        _reader.Read();
        SettingLocation location = Here();
        SettingNode root = ReadValue("", "", location);
        _expected = "nothing behind the last }";
        while (_reader.Read()) { }
        if (root.Kind == SettingKind.Section) return root;
        _problems.Add(new SettingDiagnostic(location,
            ForeignText.FindFormat(_json, out _) ?? "expected an object: { \"Dns\": { ... } }"));
        return null;
    }

    private SettingNode ReadValue(string name, string path, SettingLocation location)
    {
        switch (_reader.TokenType)
        {
            case JsonTokenType.StartObject:
                SettingNode section = new(name, SettingKind.Section, null, location);
                ReadMembers(section, path);
                return section;
            case JsonTokenType.StartArray:
                SettingNode list = new(name, SettingKind.List, null, location);
                _expected = Value + ", or ]";
                while (_reader.Read() && _reader.TokenType != JsonTokenType.EndArray)
                {
                    string index = list.Children.Count.ToString();
                    list.Add(ReadValue(index, Join(path, index), Here()));
                    _expected = "a comma and the next value, or ]";
                }
                return list;
            case JsonTokenType.String:
                return new SettingNode(name, SettingKind.Text, _reader.GetString(), location);
            case JsonTokenType.Number:
                return new SettingNode(name, SettingKind.Number, Encoding.UTF8.GetString(_reader.ValueSpan), location);
            case JsonTokenType.True or JsonTokenType.False:
                bool flag = _reader.TokenType == JsonTokenType.True;
                return new SettingNode(name, SettingKind.Flag, flag ? "true" : "false", location);
            default:
                return new SettingNode(name, SettingKind.Null, null, location);
        }
    }

    private void ReadMembers(SettingNode section, string path)
    {
        _expected = "a key in double quotes and a colon, or }";
        while (_reader.Read() && _reader.TokenType != JsonTokenType.EndObject)
        {
            // The location of a setting is its key: that is what a person looks for.
            SettingLocation location = Here();
            string key = _reader.GetString()!;
            _expected = Value;
            _reader.Read();
            SettingNode member = ReadValue(key, Join(path, key), location);
            if (section.Find(key) is { } first)
            {
                first.IsRepeated = true;
                _problems.Add(new SettingDiagnostic(
                    location,
                    $"{_declared.Shown(Join(path, key))} is given twice, first in line {first.Location.Line}"));
            }
            else section.Add(member);
            _expected = "a comma and the next key in double quotes, or }";
        }
    }

    /// <summary>The location of the current token, counted from the last one: a line can be the whole file.</summary>
    private SettingLocation Here() => LocationOf((int)_reader.TokenStartIndex);

    private SettingLocation LocationOf(int at)
    {
        for (; _counted < at; _counted++)
        {
            byte octet = _json[_counted];
            if (octet == (byte)'\n') (_line, _column) = (_line + 1, 1);
            // Only the first octet of a character counts (RFC 3629).
            else if ((octet & 0xC0) != 0x80) _column++;
        }
        return new SettingLocation(_file, _line, _column);
    }

    private static string Join(string path, string key) => path.Length == 0 ? key : path + ":" + key;
}
