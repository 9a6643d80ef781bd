using System.Text;
using System.Text.Json;

namespace Dns.Server;

/// <summary>
/// Reads a JSON settings file into <see cref="SettingNode"/>s that know their line and column. Comments and a comma
/// behind the last element are allowed, as in all .NET configuration.
/// </summary>
internal ref struct SettingsFile
{
    private readonly string _file;
    private readonly ReadOnlySpan<byte> _json;
    private readonly List<SettingProblem> _problems;
    private Utf8JsonReader _reader;
    private int _line = 1, _column = 1, _counted;

    private SettingsFile(string file, ReadOnlySpan<byte> json, List<SettingProblem> problems)
    {
        _file = file;
        _json = json;
        _problems = problems;
        _reader = new Utf8JsonReader(json, new JsonReaderOptions
        {
            AllowTrailingCommas = true,
            CommentHandling = JsonCommentHandling.Skip,
        });
    }

    /// <summary>Reads a file.</summary>
    /// <param name="file">The path as it is to be shown.</param>
    /// <param name="problems">Receives what is wrong.</param>
    /// <returns>The tree; null when the file cannot be read or is not JSON.</returns>
    public static SettingNode? Read(string file, List<SettingProblem> problems)
    {
        try
        {
            return Parse(file, File.ReadAllBytes(file), problems);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            string why = error is FileNotFoundException or DirectoryNotFoundException
                ? "the settings file does not exist"
                : Directory.Exists(file) ? "the settings file is a directory" : "cannot read the settings file: " + error.Message;
            problems.Add(new SettingProblem(new SettingPlace(file), why));
            return null;
        }
    }

    /// <summary>Reads JSON text; <paramref name="file"/> is only shown.</summary>
    public static SettingNode? Parse(string file, ReadOnlySpan<byte> json, List<SettingProblem> problems)
    {
        if (json.StartsWith(Encoding.UTF8.Preamble)) json = json[Encoding.UTF8.Preamble.Length..];
        SettingsFile parser = new(file, json, problems);
        try
        {
            return parser.ReadRoot();
        }
        catch (JsonException error)
        {
            // What the reader says ends in its own line and position, counted from 0 and in octets.
            string message = error.Message;
            int tail = message.IndexOf(" LineNumber:", StringComparison.Ordinal);
            if (tail > 0) message = message[..tail];
            // Its words for a text that ends too early are about its own buffers.
            if (parser._reader.BytesConsumed == json.Length || json.Trim(" \t\r\n"u8).IsEmpty)
                message = "the file " + (json.Trim(" \t\r\n"u8).IsEmpty ? "is empty" : "ends too early: a }, ] or \" is missing");
            SettingPlace place = new(file, (int)(error.LineNumber ?? 0) + 1, (int)(error.BytePositionInLine ?? 0) + 1);
            problems.Add(new SettingProblem(place, "not valid JSON: " + message));
            return null;
        }
    }

    private SettingNode? ReadRoot()
    {
        _reader.Read();
        SettingPlace place = Here();
        SettingNode root = ReadValue("", "", place);
        while (_reader.Read()) { }
        if (root.Kind == SettingKind.Section) return root;
        _problems.Add(new SettingProblem(place, "expected an object: { \"Dns\": { ... } }"));
        return null;
    }

    private SettingNode ReadValue(string name, string path, SettingPlace place)
    {
        switch (_reader.TokenType)
        {
            case JsonTokenType.StartObject:
                SettingNode section = new(name, SettingKind.Section, null, place);
                ReadMembers(section, path);
                return section;
            case JsonTokenType.StartArray:
                SettingNode list = new(name, SettingKind.List, null, place);
                while (_reader.Read() && _reader.TokenType != JsonTokenType.EndArray)
                {
                    string index = list.Children.Count.ToString();
                    list.Add(ReadValue(index, Join(path, index), Here()));
                }
                return list;
            case JsonTokenType.String:
                return new SettingNode(name, SettingKind.Text, _reader.GetString(), place);
            case JsonTokenType.Number:
                return new SettingNode(name, SettingKind.Number, Encoding.UTF8.GetString(_reader.ValueSpan), place);
            case JsonTokenType.True or JsonTokenType.False:
                bool flag = _reader.TokenType == JsonTokenType.True;
                return new SettingNode(name, SettingKind.Flag, flag ? "true" : "false", place);
            default:
                return new SettingNode(name, SettingKind.Null, null, place);
        }
    }

    private void ReadMembers(SettingNode section, string path)
    {
        while (_reader.Read() && _reader.TokenType != JsonTokenType.EndObject)
        {
            // The place of a setting is its key: that is what a person looks for.
            SettingPlace place = Here();
            string key = _reader.GetString()!;
            _reader.Read();
            SettingNode member = ReadValue(key, Join(path, key), place);
            if (section.Find(key) is { } first)
                _problems.Add(new SettingProblem(place, $"{Join(path, key)} is given twice, first in line {first.Place.Line}"));
            else
                section.Add(member);
        }
    }

    /// <summary>The place of the current token; counted on from the token before, since a line can be the whole file.</summary>
    private SettingPlace Here()
    {
        for (int at = (int)_reader.TokenStartIndex; _counted < at; _counted++)
        {
            byte octet = _json[_counted];
            if (octet == (byte)'\n') (_line, _column) = (_line + 1, 1);
            // Only the first octet of a character counts (RFC 3629).
            else if ((octet & 0xC0) != 0x80) _column++;
        }
        return new SettingPlace(_file, _line, _column);
    }

    private static string Join(string path, string key) => path.Length == 0 ? key : path + ":" + key;
}
