using System.Reflection;
using System.Security.Cryptography;

namespace Dns.Management.Admin;

/// <summary>The frame of the status page: one embedded file with style and script, no external resources.</summary>
public sealed class StatusPage
{
    private const string Placeholder = "<!--content-->";

    private readonly string _before, _after;

    public StatusPage()
    {
        using Stream stream = Assembly.GetExecutingAssembly().GetManifestResourceStream("status.html")
            ?? throw new InvalidOperationException("status.html is missing");
        using StreamReader reader = new(stream, Encoding.UTF8);
        string text = reader.ReadToEnd().ReplaceLineEndings("\n");
        int at = text.IndexOf(Placeholder, StringComparison.Ordinal);
        (_before, _after) = (text[..at], text[(at + Placeholder.Length)..]);
        SecurityPolicy = $"default-src 'none'; script-src {HashOf(text, "script")}; style-src {HashOf(text, "style")}; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    }

    /// <summary>The content security policy: only the page's own script and style.</summary>
    public string SecurityPolicy { get; }

    public byte[] With(HtmlWriter content) => Encoding.UTF8.GetBytes(_before + content + _after);

    private static string HashOf(string page, string element)
    {
        int start = page.IndexOf($"<{element}>", StringComparison.Ordinal) + element.Length + 2;
        int end = page.IndexOf($"</{element}>", start, StringComparison.Ordinal);
        return $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(page[start..end])))}'";
    }
}
