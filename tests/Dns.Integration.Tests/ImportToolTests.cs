using System.Collections;
using System.Diagnostics;
using System.Net;
using System.Text.Json;

namespace Dns.Integration.Tests;

/// <summary>
/// Configurations accepted by the servers themselves are imported, and the result passes <c>dnsd check</c>.
/// </summary>
public sealed class ImportToolTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dns-import").FullName;

    public ImportToolTests()
    {
        foreach (string file in Directory.GetFiles(Path.Combine(AppContext.BaseDirectory, "Import")))
            File.Copy(file, Path.Combine(_folder, Path.GetFileName(file)));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task AcceptAsync(string tool, params string[] arguments)
    {
        ProcessStartInfo start = new(tool, arguments)
        {
            WorkingDirectory = _folder, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync() + await errors;
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, output);
    }

    /// <summary>Imports a file, which nothing blocks, and checks the settings.</summary>
    private async Task<(ServerOptions Options, string Report)> ImportAsync(string name)
    {
        using StringWriter output = new(), errors = new();
        string target = Path.Combine(_folder, "dnsd.json");
        int imported =
            await DnsdCommand.InvokeAsync(["import", Path.Combine(_folder, name), "-o", target], output, errors);
        string report = errors.ToString();
        Assert.True(imported == 0, report);
        int isGood = await DnsdCommand.InvokeAsync(["check", "--config", target], output, errors);
        Assert.True(isGood == 0, $"{output}{errors}");
        return (SettingsReader.Read(new() { ConfigFile = target }, new Hashtable()).Options, report);
    }

    private string ClientsOfTheFirstZone()
    {
        JsonDocumentOptions options = new() { CommentHandling = JsonCommentHandling.Skip };
        using JsonDocument settings = JsonDocument.Parse(File.ReadAllText(Path.Combine(_folder, "dnsd.json")), options);
        JsonElement zone = settings.RootElement.GetProperty("Dns").GetProperty("Zones")[0];
        return string.Join(' ', zone.GetProperty("AllowQuery").EnumerateArray());
    }

    private static string Text(IEnumerable<IPNetwork> networks) => string.Join(' ', networks);

    [ToolFact("named-checkconf")]
    public async Task A_configuration_that_named_accepts_is_imported()
    {
        await AcceptAsync("named-checkconf", "named.conf");
        var (options, report) = await ImportAsync("named.conf");
        Assert.Equal(["example.net.", "example.org."], options.Zones.Select(zone => zone.Name!.ToString()));
        Assert.Equal("192.0.2.70:53 key:k1.example. 192.0.2.71:5300", string.Join(' ', options.Zones[1].Primaries));
        Assert.Equal("key:k1.example. 192.0.2.80", string.Join(' ', options.Zones[0].Policy!.AllowTransfer!.Rules));
        Assert.Equal("*.dyn.example.net.", options.Zones[0].Policy!.AllowUpdate!.Rules[0].Names![1].ToString());
        Assert.Equal("127.0.0.1:5353", string.Join(' ', options.Listen));
        Assert.Equal("127.0.0.0/8 ::1/128 192.0.2.0/24 198.51.100.0/25", Text(options.Recursion.AllowFrom));
        Assert.Equal([". 192.0.2.53:53,192.0.2.54:5300", "corp.example. 192.0.2.60:53"],
            options.Forward.Select(zone => $"{zone.Name} {string.Join(',', zone.Upstreams)}"));
        Assert.Equal((64L << 20, TimeSpan.FromDays(1), TimeSpan.FromHours(1), TimeSpan.FromHours(12)),
            (options.Cache.MaxBytes,
            options.Cache.MaxTtl, options.Cache.MaxNegativeTtl, options.Cache.ServeStale));
        Assert.Equal((200, 50, 500, 150, 30),
            (options.MaxRecordsPerType, options.MaxTypesPerName, options.Recursion.MaxInFlight,
            options.Tcp.MaxConnections, (int)options.Tcp.IdleTimeout.TotalSeconds));
        Assert.Equal(("127.0.0.1:8053", Path.Combine(_folder, "queries.dnsd.log")),
            (options.Admin.Listen!.ToString(), options.QueryLog.File));
        Assert.Equal("cosmetic:", report.Split('\n')[0].Trim());
    }

    [ToolFact("nsd-checkconf")]
    public async Task A_configuration_that_nsd_accepts_is_imported()
    {
        await AcceptAsync("nsd-checkconf", "nsd.conf");
        var (options, _) = await ImportAsync("nsd.conf");
        Assert.Equal("192.0.2.0/25", ClientsOfTheFirstZone());
        Assert.Equal("192.0.2.80:53 key:k1.example.", string.Join(' ', options.Zones[0].Policy!.Notify!));
        Assert.Equal("192.0.2.70:5300 key:k1.example.", string.Join(' ', options.Zones[1].Primaries));
        Assert.Equal((RateLimitMode.On, 100, 3),
            (options.RateLimit.Mode, options.RateLimit.NxDomainsPerSecond, options.RateLimit.Slip));
        Assert.Equal((true, true, 30, 200), (options.MinimalAny, options.RotateRRsets,
            (int)options.Tcp.IdleTimeout.TotalSeconds, options.Tcp.MaxConnections));
    }

    [ToolFact("knotc")]
    public async Task A_configuration_that_knot_accepts_is_imported()
    {
        await AcceptAsync("knotc", "-c", "knot.conf", "conf-check");
        // Relative to the server's working directory.
        File.WriteAllText(Path.Combine(_folder, "knot.conf"), File.ReadAllText(Path.Combine(_folder, "knot.conf"))
            .Replace("storage: \".\"", $"storage: \"{_folder}\""));
        var (options, _) = await ImportAsync("knot.conf");
        Assert.Equal("192.0.2.0/24 2001:db8::/32", ClientsOfTheFirstZone());
        Assert.Equal("192.0.2.80", string.Join(' ', options.Zones[0].Policy!.AllowTransfer!.Rules));
        Assert.Equal("192.0.2.70:5300 key:k1.example.", string.Join(' ', options.Zones[1].Primaries));
        Assert.Equal("192.0.2.70 key:k1.example.", string.Join(' ', options.Zones[1].Policy!.AllowNotify!.Rules));
        Assert.Equal((RateLimitMode.On, 50, 2),
            (options.RateLimit.Mode, options.RateLimit.ResponsesPerSecond, options.RateLimit.Slip));
    }

    [ToolFact("unbound-checkconf")]
    public async Task A_configuration_that_unbound_accepts_is_imported()
    {
        await AcceptAsync("unbound-checkconf", "unbound.conf");
        var (options, report) = await ImportAsync("unbound.conf");
        Assert.Equal("127.0.0.0/8 192.0.2.128/25 192.0.2.0/26 ::1/128", Text(options.Recursion.AllowFrom));
        Assert.Equal(["lan.example.", "ads.example.", "10.2.0.192.in-addr.arpa."],
            options.Zones.Select(zone => zone.Name!.ToString()));
        Assert.Equal([". 192.0.2.53:53,192.0.2.54:5300", "corp.example. 192.0.2.60:53"],
            options.Forward.Select(zone => $"{zone.Name} {string.Join(',', zone.Upstreams)}"));
        Assert.Equal((48L << 20, TimeSpan.FromHours(1), 1800, true), (options.Cache.MaxBytes, options.Cache.ServeStale,
            (int)options.Recursion.AnswerWithin.TotalMilliseconds, options.Recursion.DropPrivateAddresses));
        Assert.Contains("stub-zone: its servers are queried as upstreams", report);
    }
}
