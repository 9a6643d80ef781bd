using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>Comments and names of the sources use the terms of the field, and no metaphors of people.</summary>
public partial class WordTests
{
    [Fact]
    public void Comments_use_the_terms_of_the_field() =>
        Diagnostics.None(
            Repository.Under("src/").SelectMany(file => file.Find(CommentWord(), file.Comments)),
            "a word that is not a term: say evict, upstream, deferred reply, timeout, lookup, client, and who or " +
                "what does it");

    [Fact]
    public void Types_are_named_by_the_terms_of_the_field() =>
        Diagnostics.None(
            from file in Repository.Under("src/", "dnsbench/")
            from Match match in TypeName().Matches(file.Code)
            where OldWord().IsMatch(match.Groups[1].Value)
            select $"{file.Path}:{file.LineAt(match.Index)}: {match.Groups[1].Value}",
            "a name with a word that is not a term: say counts, shard, worker, parser, rate limiting, command, " +
                "diagnostic, list, paths");

    [Fact]
    public void Members_and_variables_are_named_by_the_terms_of_the_field() =>
        Diagnostics.None(
            Repository.Under("src/", "dnsbench/").SelectMany(file => file.Find(OldName(), file.Code)),
            "a name with a word that is not a term: say offset, slot, index, position, client, down, evict");

    [Fact]
    public void Texts_use_the_terms_of_the_field() =>
        Diagnostics.None(
            Repository.Under("src/").SelectMany(file => file.Find(TextWord(), file.Strings)),
            "a word that is not a term: say no client, all clients, query, request, report, result");

    [Fact]
    public void Descriptions_of_settings_use_the_terms_of_the_field() =>
        Diagnostics.None(
            TextWord().Matches(Repository.Read("src/Dns.Server/dnsd.schema.json")).Select(match => match.Value),
            "a word that is not a term: say no client, all clients, query, request, report, result");

    [Fact]
    public void No_name_of_a_type_is_given_twice() =>
        Diagnostics.None(
            from file in Repository.Under("src/")
            from Match match in TopLevelType().Matches(file.Code)
            where !match.Value.Contains("partial ", StringComparison.Ordinal)
            group file.Path by match.Groups[1].Value into named
            where named.Count() > 1
            select $"{named.Key}: {string.Join(", ", named)}",
            "two types never share a name");

    [Theory]
    [InlineData("/// <summary>Whoever asks is told.</summary>", 2)]
    [InlineData("// The look-up gives way.", 2)]
    [InlineData("// A time-out, and an answer that nobody waits for.", 2)]
    [InlineData("// What is under way goes on all the same.", 3)]
    [InlineData("/// <summary>The lookup of a name, with a timeout.</summary>", 0)]
    [InlineData("// A taller hill, themselves.", 0)]
    public void Words_are_found_in_comments(string comment, int count) =>
        Assert.Equal(count, CommentWord().Count(new SourceFile("a.cs", comment + "\n").Comments));

    [Theory]
    [InlineData("string text = \"the parent is asked\"; // is asked", 1)]
    [InlineData("string text = $\"\"\"{nobody} and everybody\"\"\";", 1)]
    [InlineData("string zone = \"nobody.invalid.\"; int asked = 0;", 0)]
    public void Words_are_found_in_texts(string code, int count) =>
        Assert.Equal(count, TextWord().Count(new SourceFile("a.cs", code + "\n").Strings));

    [Theory]
    [InlineData("int place = hasPlace ? PlaceOf(_places) : 0;", 4)]
    [InlineData("text.Replace(placeholder, Placement, \"place\"); // place", 0)]
    public void Words_are_found_in_names(string code, int count) =>
        Assert.Equal(count, OldName().Count(new SourceFile("a.cs", code + "\n").Code));

    [GeneratedRegex(
        @"\b(?:nobody|somebody|anybody|everybody|whoever|whomever|no one|anyone|someone|everyone|he|him|his|himself|(?:is|are|was|were) told|"
        +
        @"tells|let in|lets in|gives? way|gave way|look-ups?|manieth|lanes?|census|tally|tallies|stripes?|hold-down|time-outs?|"
        +
        @"kept answers?|ready answers?|handed sockets|ways? back|intake|all the same|to be had|go(?:es)? on|serve[ds]? on|"
        +
        @"gone through|kept elsewhere|on (?:its|the|their) way|under way|anew|hand(?:s|ed)? over|let(?:s|ting)? go|in hand|at hand|"
        +
        @"asked for|asks? for|looked at|for people|as it came|in any spelling|where nothing is said|a thing that|of nobody)\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex CommentWord();

    [GeneratedRegex(
        @"(?:Lane|Tally|Tallies|Stripe|Intake|Census|Defence|Verb|Finding|Listing|Tap|HoldDown|LookUp)(?![a-z])|Findings|Verbs|Stripes|Places?(?![a-z])")]
    private static partial Regex OldWord();

    [GeneratedRegex(
        @"\b_?places?\b|\b\w*(?:Places?|Nobody|Everybody|HeldDown|GiveWay|Stumble|SignOfLife|Ourselves|Judge|Soiled|Spelled|Doubts|AskResult)(?![a-z])\w*")]
    private static partial Regex OldName();

    [GeneratedRegex(
        @"\b(?:nobody(?!\.invalid)|somebody|anybody|everybody|whoever|(?:is|are|was|were) (?:not )?(?:told|asked)|"
        +
        @"asked for|what became of|stands? in|(?:on|is) its way|went on|hand over|look-up|under way|"
        +
        @"Has the running)\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex TextWord();

    [GeneratedRegex(
        @"\b(?:class|struct|interface|enum|record(?:\s+(?:class|struct))?)\s+(?!class\b|struct\b)([A-Z]\w*)")]
    private static partial Regex TypeName();

    [GeneratedRegex(
        @"^(?:\w+ )*(?:class|struct|interface|enum|record(?: (?:class|struct))?) (?!class\b|struct\b)([A-Z]\w*(?:<\w+>)?)",
        RegexOptions.Multiline)]
    private static partial Regex TopLevelType();
}
