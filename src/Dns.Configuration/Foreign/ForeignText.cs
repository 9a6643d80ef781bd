using System.Text.RegularExpressions;
using System.Text.Unicode;

namespace Dns.Configuration.Foreign;

/// <summary>Recognises a file that is no settings file, to name what it is instead of a fault of JSON.</summary>
public static partial class ForeignText
{
    private const string Settings = "settings are JSON such as { \"Dns\": { \"Listen\": [ \"127.0.0.1:53\" ] } }";
    private const string Import = ", of which dnsd import FILE makes settings";

    /// <summary>How much of a file is read to detect its format.</summary>
    private const int BeginningOctets = 64 * 1024;

    /// <summary>What a text that is not UTF-8 is instead, with its first wrong octet; null if it is UTF-8.</summary>
    public static string? FindEncoding(ReadOnlySpan<byte> octets, out int at)
    {
        at = 0;
        bool isMarked = octets.StartsWith((byte[])[0xFF, 0xFE]) || octets.StartsWith((byte[])[0xFE, 0xFF]);
        // Without a byte order mark every second octet of ASCII is 0.
        bool isWide =
            octets.Length >= 4 && (octets[0] == 0) != (octets[1] == 0) && (octets[2] == 0) != (octets[3] == 0);
        if (isMarked || isWide) return "the file is UTF-16: save it as UTF-8";
        at = octets.IndexOf((byte)0);
        if (at >= 0) return "the file is binary: " + Settings;
        at = FindInvalid(octets);
        return at < 0 ? null : $"the octet 0x{octets[at]:X2} is not UTF-8: save the file as UTF-8";
    }

    /// <summary>A sentence on the format of a text (UTF-8) that is not JSON; null for JSON with a mistake.</summary>
    /// <param name="at">Where the text begins that shows it.</param>
    public static string? FindFormat(ReadOnlySpan<byte> octets, out int at)
    {
        string text = Encoding.Latin1.GetString(octets[..Math.Min(octets.Length, BeginningOctets)]);
        at = 0;
        foreach (Match line in Line().Matches(text))
        {
            at = line.Index;
            if (line.Value is ['/', '/', ..] or ['/', '*', ..] or ['#', ..]) continue;
            string? format = FormatOf(line.Value.TrimEnd());
            return format is null ? null : $"the file looks like {format}: {Settings}";
        }
        at = text.TakeWhile(char.IsWhiteSpace).Count();
        return text.AsSpan(at).StartsWith("#")
            ? $"the file has nothing but comments that begin with #: {Settings}" : null;
    }

    private static string? FormatOf(string line) => line switch
    {
        "---" => "YAML",
        _ when Clause().IsMatch(line) =>
            "the configuration of another server (unbound.conf, nsd.conf, knot.conf)" + Import,
        _ when Statement().IsMatch(line) => "named.conf of BIND" + Import,
        _ when YamlKey().IsMatch(line) => "YAML",
        _ when MasterFile().IsMatch(line) => "a zone file, which --zone NAME=FILE serves",
        _ when Corefile().IsMatch(line) => "a Corefile of CoreDNS",
        _ when IniSection().IsMatch(line) => "INI or TOML",
        _ when Assignment().IsMatch(line) => "lines of KEY=VALUE (INI, dnsmasq.conf, pdns.conf)",
        ['<', ..] => "XML",
        _ => null,
    };

    private static int FindInvalid(ReadOnlySpan<byte> octets)
    {
        if (Utf8.IsValid(octets)) return -1;
        int at = 0;
        while (Rune.DecodeFromUtf8(octets[at..], out _, out int length) == System.Buffers.OperationStatus.Done)
            at += length;
        return at;
    }

    [GeneratedRegex(@"(?<=^[^\S\n]*)\S.*$", RegexOptions.Multiline)]
    private static partial Regex Line();

    [GeneratedRegex(
        @"^(server|remote-control|zone|forward-zone|stub-zone|auth-zone|pattern|key|template|database|log|acl)\s*:\s*(#.*)?$")]
    private static partial Regex Clause();

    [GeneratedRegex(
        @"^(options|logging|controls|(acl|zone|view|key|include|masters|primaries)\s+\S+.*)\s*[{;]?.*[{;]$")]
    private static partial Regex Statement();

    [GeneratedRegex(@"^(- .*|[A-Za-z$_][\w$ -]*:(\s.*)?)$")]
    private static partial Regex YamlKey();

    [GeneratedRegex(@"^(\$(ORIGIN|TTL|INCLUDE|GENERATE)\s|\S+\s+(\d+\w*\s+)?(IN\s+)?(SOA|NS)\s|;)",
        RegexOptions.IgnoreCase)]
    private static partial Regex MasterFile();

    [GeneratedRegex(@"^[^\s{""\[]+([, ]+[^\s{""\[]+)*\s*\{$")]
    private static partial Regex Corefile();

    [GeneratedRegex(@"^\[\[?[A-Za-z][\w.:-]*\]\]?$")]
    private static partial Regex IniSection();

    [GeneratedRegex(@"^[A-Za-z][\w.-]*\s*=")]
    private static partial Regex Assignment();
}
