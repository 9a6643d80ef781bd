using System.Text.RegularExpressions;

namespace Dns.Import.Tests;

/// <summary>
/// Compares the readers with the programs that check these configurations: what they accept, and the values they read.
/// The configurations are random in blanks, comments and quotes, and a third of them is damaged.
/// </summary>
public sealed class ForeignGrammarTests : ImportTestBase
{
    private static readonly string[] Strings =
        ["a", "ns1.example", "a b", "it's", "a#b", "#a", "a:b", "a\\b", "x y\tz", "{a}", "b;c", "port:", "é", "1/2"];

    private readonly Random _random = new(ForeignProgram.Seed);

    [Fact]
    public void Unbound_conf_is_read_as_unbound_reads_it()
    {
        for (int i = 0; i < ForeignProgram.Cases; i++)
        {
            string text = $"server: directory: \"\"\nchroot: ''\n{Damaged($"identity:{Gap()}{Quoted("\"'", "\\")}")}\n"
                + Join(2, () => One($"port:{Gap()}{_random.Next(1, 9999)}",
                    $"interface:{Gap()}127.0.0.{_random.Next(1, 9)}", $"interface:{Gap()}\"::1\"",
                    $"access-control:{Gap()}\"10.0.0.0/8\"{Gap()}allow",
                    $"local-zone:{Gap()}'a.example'{Gap()}static",
                    $"local-data:{Gap()}'a{_random.Next(9)}.example. TXT \"x y\"'"))
                + Join(_random.Next(3), () =>
                    $"forward-zone:{Gap()}name:{Gap()}\"a.example\"{Gap()}forward-addr:{Gap()}192.0.2.1");
            string file = Folder.Write("unbound.conf", text);
            var (isGood, _, said) = ForeignProgram.Run("unbound-checkconf", file);
            var (sections, errors) = Read(file, (f, d) => new UnboundConfReader(f, d).Read(file));
            Compare(text, isGood, said, "syntax error|unknown keyword|stray|quoted string", errors);
            if (!isGood) continue;
            foreach (string key in new[] { "identity", "port", "interface" })
                Assert.Equal(ForeignProgram.Run("unbound-checkconf", "-o", key, file).Output.Trim('\n'),
                    string.Join('\n', Values(sections, "server", key, key == "interface")
                        .DefaultIfEmpty(key == "port" ? "53" : "")));
        }
    }

    [Fact]
    public void Nsd_conf_is_read_as_nsd_reads_it()
    {
        for (int i = 0; i < ForeignProgram.Cases; i++)
        {
            int zone = 0;
            string text = $"{One("server", "Server")}:\n{Damaged($"identity:{NsdGap()}{Quoted("\"", "\\")}")}\n"
                + Join(3, () => One($"port:{NsdGap()}{_random.Next(1, 9999)}", $"PORT: \"5300\"",
                    $"ip-address:{NsdGap()}127.0.0.{_random.Next(1, 9)}{One("", " servers=1", " servers=\"1 2\"")}",
                    $"do-ip6:{NsdGap()}yes"))
                + Join(_random.Next(3), () => $"zone:{NsdGap()}name:{NsdGap()}z{zone++}.example"
                    + $"\nzonefile:{NsdGap()}\"{One("a b", "a", "%s.zone")}\"");
            // It prints such a backslash and goes on.
            if (text.Contains("\\\n")) continue;
            string file = Folder.Write("nsd.conf", text);
            var (isGood, said, all) = ForeignProgram.Run("nsd-checkconf", "-v", file);
            var (sections, errors) = Read(file, (f, d) => new NsdConfReader(f, d).Read(file));
            Compare(text, isGood, all, "syntax error|EOF inside", errors);
            if (!isGood) continue;
            foreach (var (section, key) in new[] { ("server", "identity"), ("zone", "name"), ("zone", "zonefile") })
                Assert.Equal(
                    Regex.Matches(section == "server" ? said : string.Join("zone:", said.Split("\nzone:").Skip(1)),
                        $"(?ms)^\\s*{key}: \"(.*?)\"$")
                        .Select(match => match.Groups[1].Value),
                    Values(sections, section, key, isList: section == "zone"));
        }
    }

    [Fact]
    public void Knot_conf_is_read_as_knot_dns_reads_it()
    {
        for (int i = 0; i < ForeignProgram.Cases; i++)
        {
            int zone = 0, indent = _random.Next(1, 5);
            string Blanks() => new(' ', indent);
            string Colon() => One(": ", ":   ", " : ");
            string End() => One("\n", " \n", " # a comment: x\n", "\n\n", "\n  # [\n", "\r\n");
            string text = $"server:{End()}{Damaged($"{Blanks()}identity{Colon()}{Quoted("\"", "#[],")}{End()}")}"
                + Join(2, () => Blanks() + One($"listen{Colon()}127.0.0.{_random.Next(1, 9)}",
                    $"listen{Colon()}[{One("", " ")}127.0.1.1{One(",", " , ")}\"127.0.1.2@53\"{One("", " ")}]",
                    $"version{Colon()}\"{One("a", "b # c", "[d]")}\"") + End(), "")
                + $"zone:{End()}" + Join(_random.Next(4), () =>
                    $"{Blanks()}- domain{Colon()}z{zone++}.example{End()}"
                    + $"{Blanks()}  file{Colon()}\"{One("a", "%c[0]")}\"{End()}"
                    + One("", Damaged($"{Blanks()}  storage{Colon()}/tmp{End()}")), "");
            string file = Folder.Write("knot.conf", text);
            var (isGood, said, all) = ForeignProgram.Run("knotc", "-c", file, "conf-export", "/dev/stdout");
            var (sections, errors) = Read(file, (f, d) => new KnotConfReader(f, d).Read(file));
            Compare(text, isGood, all, "parser failed|tabulator|indentation", errors);
            if (!isGood) continue;
            string exported = Folder.Write(
                "exported.conf", said[..said.LastIndexOf("OK", StringComparison.Ordinal)].TrimEnd() + "\n");
            // Quotes in a text are not escaped there.
            if (text.Contains("\\\"")) continue;
            var (expected, none) = Read(exported,
                (f, d) => new KnotConfReader(f, d).Read(exported));
            Assert.Empty(none);
            foreach (var (section, key) in new[] { ("server", "identity"), ("server", "version"), ("server", "listen"),
                ("zone", "domain"), ("zone", "file"), ("zone", "storage") })
                Assert.Equal(Values(expected, section, key, true).Select(value => value.TrimEnd('.')).Distinct(),
                    Values(sections, section, key, section == "zone" || key == "listen")
                        .Select(value => value.TrimEnd('.')).Distinct());
        }
    }

    [Fact]
    public void Named_conf_is_read_as_named_reads_it()
    {
        for (int i = 0; i < ForeignProgram.Cases; i++)
        {
            int acl = 0;
            string Element() => One("any", "\"none\"", "! 10.0.0.1", "!10.1.0.0/16", "10.0.0.0 / 8", "2001:db8::/32",
                "{ any ; }", "!{ 192.0.2.1; any; }", "LOCALHOST");
            string quoted = $"\"a\\\"{One("b", "c\\d", "é")}\"";
            string text = Damaged($"acl{BindGap()}{quoted}{BindGap()}{{{BindGap()}any;}}{BindGap()};", "{};\"")
                + BindGap() + Join(3, () => One(
                    $"acl l{acl++}{BindGap()}{{{BindGap()}{Element()}{Maybe()};{BindGap()}{Element()};{Maybe()}}};",
                    $"zone{BindGap()}\"z{acl++}.example\" {{{BindGap()}type Primary;{BindGap()}"
                    + $"file \"{One("a", "b\\c", "d e")}\"{Maybe()};}};"))
                + $"options{BindGap()}{{ listen-on port{BindGap()}53{BindGap()}{{ {Element()}; }};{BindGap()}"
                + $"version{BindGap()}{Quoted("\"", "", true)};}}{Maybe()};";
            string file = Folder.Write("named.conf", text);
            var (isGood, said, all) = ForeignProgram.Run("named-checkconf", "-p", file);
            var (statements, errors) = Read(file, (f, d) => new NamedConfReader(f, d).Read(file));
            Compare(text, isGood, all, "missing ';' before ('}'|end of file)|unexpected end"
                + "|'}' expected near ';'|syntax error near '[};]'", errors);
            if (!isGood) continue;
            string printed = Folder.Write("printed.conf", said);
            var (expected, none) = Read(printed,
                (f, d) => new NamedConfReader(f, d).Read(printed));
            Assert.Empty(none);
            Assert.Equal(expected.Select(Tree).Order(StringComparer.Ordinal),
                statements.Select(Tree).Order(StringComparer.Ordinal));
        }
    }

    private static string Tree(ConfigStatement statement)
    {
        IEnumerable<string> members = statement.Members.Select(Tree);
        if (statement.Key is "options" or "zone") members = members.Order(StringComparer.Ordinal);
        return $"{string.Join('|', statement.Words.Select(word => Regex.Replace(word, "/(32|128)$", "")))}"
            + (statement.Block is null ? "" : $"{{{string.Join(';', members)}}}");
    }

    private static (IReadOnlyList<ConfigStatement> Statements, IReadOnlyList<string> Errors) Read(
        string file, Func<ConfigFiles, ImportDiagnostics, IReadOnlyList<ConfigStatement>> read)
    {
        ImportDiagnostics diagnostics = new();
        return (read(new ConfigFiles(diagnostics), diagnostics), diagnostics.Errors);
    }

    /// <summary>What the program refuses for its meaning, a reader may accept.</summary>
    private static void Compare(string text, bool isGood, string said, string syntax, IReadOnlyList<string> errors)
    {
        if (isGood != (errors.Count == 0) && (isGood || Regex.IsMatch(said, syntax)))
            Assert.Fail($"DNS_FUZZ_SEED={ForeignProgram.Seed}: accepted there: {isGood}; here: "
                + $"{string.Join('\n', errors)}\n{said}\n{text}");
    }

    /// <summary>The values of a key: of a list all, else the last.</summary>
    private static IEnumerable<string> Values(
        IReadOnlyList<ConfigStatement> sections, string section, string key, bool isList)
    {
        IEnumerable<ConfigStatement> found = sections.Where(statement => statement.Key == section)
            .SelectMany(statement => statement.Members).Where(member => member.Key == key);
        return (isList ? found : found.TakeLast(1)).SelectMany(member => member.Words.Skip(1).DefaultIfEmpty(""));
    }

    private string One(params string[] choices) => choices[_random.Next(choices.Length)];

    private string Join(int count, Func<string> make, string between = "\n") =>
        string.Concat(Enumerable.Range(0, count).Select(_ => make() + between));

    private string Gap() => One("", " ", "\t", "\n", " \n  # c\n", "  ") is { Length: > 0 } gap ? gap : " ";

    private string NsdGap() => One(" ", "\t", "\n", " \n  # c\n", "\r\n");

    private string BindGap() => One(" ", "\n", "\t", " /* a ; \n */ ", " // {\n", " # }\n");

    private string Maybe() => One("", "", BindGap());

    /// <summary>A string, in quotes or without where the other characters allow that.</summary>
    private string Quoted(string quotes, string special, bool always = false)
    {
        string text = One(Strings);
        bool isPlain = !always && _random.Next(2) == 0
            && !text.Any(c => char.IsWhiteSpace(c) || c is '#' or '\'' || special.Contains(c));
        char quote = quotes[_random.Next(quotes.Length)];
        if (text.Contains(quote) || text.EndsWith('\\')) quote = '"';
        return isPlain ? text : $"{quote}{text}{quote}";
    }

    /// <summary>A text, one character of which is doubled, inserted or removed in a third of the cases.</summary>
    private string Damaged(string text, string characters = "\"#\\ \n[,")
    {
        if (_random.Next(3) > 0) return text;
        int at = _random.Next(text.Length + 1);
        return _random.Next(3) == 0 && at < text.Length && characters.Contains(text[at]) ? text.Remove(at, 1)
            : text.Insert(at, characters[_random.Next(characters.Length)].ToString());
    }
}
