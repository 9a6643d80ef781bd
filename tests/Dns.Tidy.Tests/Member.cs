using System.Text.RegularExpressions;

namespace Dns.Tidy.Tests;

/// <summary>A method, property or operator with a body, found by matching braces in the code of a file.</summary>
internal sealed partial record Member(string Name, int Line, int Lines)
{
    public static IEnumerable<Member> Read(SourceFile file)
    {
        List<Member> members = [];
        Stack<(bool HoldsMembers, int HeaderStart, string Header)> blocks = new();
        int headerStart = 0;
        for (int i = 0; i < file.Code.Length; i++)
        {
            char c = file.Code[i];
            if (c == '{')
            {
                string header = file.Code[headerStart..i];
                blocks.Push((TypeHeader().IsMatch(header), headerStart, header));
            }
            else if (c == '}' && blocks.TryPop(out var block))
            {
                if (!block.HoldsMembers && blocks.TryPeek(out var parent) && parent.HoldsMembers &&
                    IsMember(block.Header))
                {
                    int first = block.HeaderStart + block.Header.Length - block.Header.TrimStart().Length;
                    int line = file.LineAt(first);
                    members.Add(new Member(NameOf(block.Header), line, file.LineAt(i) - line + 1));
                }
            }
            if (c is ';' or '{' or '}')
            {
                headerStart = i + 1;
            }
        }
        return members;
    }

    /// <summary>An initialiser is a table, not a member with a body.</summary>
    private static bool IsMember(string header) => !Regex.IsMatch(header, @"(?<![=!<>])=(?![=>])[^()]*$");

    private static string NameOf(string header)
    {
        Match call = Regex.Match(header, @"(\w+)\s*(<[^<>()]*>)?\s*\(");
        Match last = Regex.Match(header, @"(\w+)\s*$");
        return call.Success ? call.Groups[1].Value : last.Groups[1].Value;
    }

    [GeneratedRegex(@"\b(class|struct|interface|record|enum|namespace|extension)\b[^()=;]*(\([^{]*)?$")]
    private static partial Regex TypeHeader();
}
