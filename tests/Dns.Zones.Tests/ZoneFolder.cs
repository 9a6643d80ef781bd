using System.Text;

namespace Dns.Zones.Tests;

/// <summary>A folder for the master files of one test.</summary>
public sealed class ZoneFolder : IDisposable
{
    /// <summary>Three lines that complete any zone; a test's text begins on line 4.</summary>
    public const string Start = "$TTL 300\n@ SOA ns.other.test. host 1 2 3 4 5\n@ NS ns.other.test.\n";

    public string Root { get; } = Directory.CreateTempSubdirectory("dns-zones").FullName;

    public void Dispose() => Directory.Delete(Root, recursive: true);

    public string Write(string name, string text)
    {
        string file = Path.Combine(Root, name);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text, Encoding.Latin1);
        return file;
    }

    public ZoneLoadResult Load(string text, string apex = "example.com", ZoneLimits? limits = null) =>
        ZoneLoader.Load(DomainName.Parse(apex), Write("zone", text), limits: limits);

    /// <summary>The diagnostics as <c>LINE: error: text</c>, one a line.</summary>
    public string Check(string text, string apex = "example.com") => Describe(Load(text, apex).Diagnostics);

    public string Describe(IEnumerable<ZoneDiagnostic> diagnostics) =>
        string.Join('\n',
            diagnostics.Select(diagnostic => diagnostic.ToString().Replace(Path.Combine(Root, "zone") + ":", "")));

    /// <summary>The records of a file without errors, or its errors.</summary>
    public string Dump(string text, bool generic = false, string origin = "example.com")
    {
        var diagnostics = new List<ZoneDiagnostic>();
        using var output = new MemoryStream();
        int exit = ZoneDump.WriteRaw(DomainName.Parse(origin), Write("zone", text), generic, output, diagnostics);
        string records = Encoding.Latin1.GetString(output.ToArray());
        return exit == 0 ? records : Describe(diagnostics);
    }
}
