using System.Text.RegularExpressions;
using Xunit;

namespace Dns.Tidy.Tests;

/// <summary>
/// Comments and names of the sources use the terms of the field. A project that is not listed here has none of the other words; the bounds
/// of those that are listed may only be lowered, and a bound far above what is left fails too.
/// </summary>
public partial class WordTests
{
    /// <summary>A bound that is this far above the count has to be lowered.</summary>
    private const int Slack = 20;

    /// <summary>The words that comments of a project still have, at most.</summary>
    private static readonly (string Project, int Most)[] CommentBounds =
    [
        ("Dns.Server", 100),
    ];

    [Fact]
    public void Comments_use_the_terms_of_the_field()
    {
        var bounds = CommentBounds.ToDictionary(bound => bound.Project, bound => bound.Most);
        Findings.None(
            from project in Projects()
            let found = project.SelectMany(file => file.Find(CommentWord(), file.Comments)).ToList()
            where found.Count > bounds.GetValueOrDefault(project.Key)
            from one in found
            select one,
            "a word that is not a term: say evict, upstream, deferred reply, timeout, lookup, client, and who or what does it");
    }

    [Fact]
    public void The_bounds_of_comments_follow_what_is_left() =>
        Findings.None(
            from bound in CommentBounds
            let found = Projects().Where(project => project.Key == bound.Project)
                .Sum(project => project.Sum(file => CommentWord().Count(file.Comments)))
            where found == 0 || bound.Most - found >= Slack
            select $"{bound.Project}: {found} found, {bound.Most} allowed",
            "lower the bound, or remove a project without any");

    [Fact]
    public void Types_are_named_by_the_terms_of_the_field() =>
        Findings.None(
            from file in Repository.Under("src/", "dnsbench/")
            from Match match in TypeName().Matches(file.Code)
            where OldWord().IsMatch(match.Groups[1].Value)
            select $"{file.Path}:{file.LineAt(match.Index)}: {match.Groups[1].Value}",
            "a name with a word that is not a term: say counts, shard, worker, parser, rate limiting, command, diagnostic, list, paths");

    [Fact]
    public void No_name_of_a_type_is_given_twice() =>
        Findings.None(
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
    [InlineData("/// <summary>The lookup of a name, with a timeout.</summary>", 0)]
    [InlineData("// A taller hill, themselves.", 0)]
    public void Words_are_found_in_comments(string comment, int count) =>
        Assert.Equal(count, CommentWord().Count(new SourceFile("a.cs", comment + "\n").Comments));

    private static IEnumerable<IGrouping<string, SourceFile>> Projects() =>
        Repository.Under("src/").GroupBy(file => file.Path.Split('/')[1]);

    [GeneratedRegex(
        @"\b(?:nobody|somebody|anybody|everybody|whoever|whomever|no one|anyone|someone|everyone|he|him|his|himself|(?:is|are|was|were) told|"
        + @"tells|let in|lets in|gives? way|gave way|look-ups?|manieth|lanes?|census|tally|tallies|stripes?|hold-down|time-outs?|"
        + @"kept answers?|ready answers?|handed sockets|ways? back|intake)\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex CommentWord();

    [GeneratedRegex(@"(?:Lane|Tally|Tallies|Stripe|Intake|Census|Defence|Verb|Finding|Listing|Tap|HoldDown|LookUp)(?![a-z])|Findings|Verbs|Stripes|Places?$")]
    private static partial Regex OldWord();

    [GeneratedRegex(@"\b(?:class|struct|interface|enum|record(?:\s+(?:class|struct))?)\s+(?!class\b|struct\b)([A-Z]\w*)")]
    private static partial Regex TypeName();

    [GeneratedRegex(@"^(?:\w+ )*(?:class|struct|interface|enum|record(?: (?:class|struct))?) (?!class\b|struct\b)([A-Z]\w*)", RegexOptions.Multiline)]
    private static partial Regex TopLevelType();
}
