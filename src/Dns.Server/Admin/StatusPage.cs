using System.Reflection;
using System.Security.Cryptography;
using System.Text;

namespace Dns.Server;

/// <summary>The status page: one file within this program, which takes nothing from elsewhere.</summary>
internal sealed class StatusPage
{
    /// <summary>Reads the page.</summary>
    public StatusPage()
    {
        using Stream stream = Assembly.GetExecutingAssembly().GetManifestResourceStream("status.html")
            ?? throw new InvalidOperationException("status.html is missing");
        using StreamReader reader = new(stream, Encoding.UTF8);
        string text = reader.ReadToEnd().ReplaceLineEndings("\n");
        Octets = Encoding.UTF8.GetBytes(text);
        SecurityPolicy = $"default-src 'none'; script-src {HashOf(text, "script")}; style-src {HashOf(text, "style")}; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /// <summary>The page.</summary>
    public byte[] Octets { get; }

    /// <summary>The header that allows just its own script and style: what comes from the network as text stays text.</summary>
    public string SecurityPolicy { get; }

    private static string HashOf(string page, string element)
    {
        int start = page.IndexOf($"<{element}>", StringComparison.Ordinal) + element.Length + 2;
        int end = page.IndexOf($"</{element}>", start, StringComparison.Ordinal);
        return $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(page[start..end])))}'";
    }
}
