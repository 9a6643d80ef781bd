namespace Dns.Import.Tests;

/// <summary>Imports configurations that are written into a folder of the test.</summary>
public abstract class ImportTestBase : IDisposable
{
    private protected SettingsFolder Folder { get; } = new();

    public void Dispose()
    {
        Folder.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>
    /// Imports a file; its settings have to be good ones, and paths and diagnostics are shown without the folder.
    /// </summary>
    private protected (ServerOptions Options, string[] Notes, ImportedSettings Imported) Import(
        string name, string text, string? from = null, string? zoneFolder = null, params string[] machine)
    {
        ImportedSettings imported = Translate(name, text, from, zoneFolder, machine);
        Settings settings = SettingsReader.Read(
            new() { ConfigFile = Folder.Write("imported.json", imported.ToJson()) },
            new System.Collections.Hashtable());
        Assert.Empty(settings.Problems);
        return (settings.Options,
            [.. imported.Diagnostics.Errors.Concat(imported.Diagnostics.Entries.Select(entry => entry.ToString()))
                .Select(Short)], imported);
    }

    /// <param name="machine">The addresses of the machine; those of loopback without any.</param>
    private protected ImportedSettings Translate(
        string name, string text, string? from = null, string? zoneFolder = null, params string[] machine) =>
        ImportCommand.Translate(Folder.Write(name, text), from, zoneFolder,
            [.. machine.DefaultIfEmpty("127.0.0.1").Append("::1").Select(address =>
                ImportedAddress.TryParse(address, 0, out ImportedAddress parsed) ? parsed : default)]);

    private protected string Short(string line) =>
        line.Replace(Folder.Root + Path.DirectorySeparatorChar, "").Replace('\\', '/');

    private protected string[] Zones(ServerOptions options) =>
        [.. options.Zones.Select(zone => $"{zone.Name} {(zone.Path is null ? "-" : Short(zone.Path))}")];

    private protected static string[] ListsOf(ImportedSettings imported) =>
        [.. System.Text.Json.Nodes.JsonNode.Parse(imported.ToJson())!["Dns"]!["Zones"]!.AsArray()
            .Select(zone => zone!["AllowQuery"]?.ToJsonString().Replace("\"", "") ?? "everybody")];
}
