namespace Dns.Configuration.Reading;

/// <summary>The settings file that a new service starts with.</summary>
public static class ServiceSettings
{
    /// <summary>Its path: <c>/etc/dnsd/dnsd.json</c>, or in the folder of program data on Windows.</summary>
    public static string File { get; } = OperatingSystem.IsWindows()
        ? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData), "dnsd", "dnsd.json")
        : "/etc/dnsd/dnsd.json";

    /// <summary>The text: every address, port 53, the zones of a folder beside it, and examples of more.</summary>
    public const string Text = """
        // Settings of dnsd: see dnsd.json(5). "dnsd check --config FILE" says what is wrong with them.
        {
          "Dns": {
            "Listen": [ "0.0.0.0:53", "[::]:53" ],

            // Every file zones/NAME.zone is the zone NAME; a zone elsewhere is named with its file.
            "Zones": [
              { "Directory": "zones" }
              // , { "Name": "example.com", "File": "example.com.zone" }
            ]

            // What NSID and id.server say; without it, nothing.
            // , "Identity": "ns1.example.net"

            // Questions about all other names are passed on, for the clients listed.
            // , "Forward": [ { "Zone": ".", "Upstreams": [ "192.0.2.53", "[2001:db8::53]" ] } ]
            // , "Recursion": { "AllowFrom": [ "127.0.0.0/8", "::1", "192.0.2.0/24" ] }

            // The status page and metrics, for this machine.
            // , "Admin": { "Listen": "127.0.0.1:8053" }
          },
          "Serilog": { "MinimumLevel": "Information" }
        }

        """;

    /// <summary>Writes file and zone folder where there are none.</summary>
    /// <param name="output">Receives a line about what was made.</param>
    public static void WriteIfMissing(string file, TextWriter output)
    {
        if (System.IO.File.Exists(file)) return;
        string directory = Path.GetDirectoryName(file)!;
        Directory.CreateDirectory(directory);
        Directory.CreateDirectory(Path.Combine(directory, "zones"));
        System.IO.File.WriteAllText(file, Text.ReplaceLineEndings());
        output.WriteLine($"wrote {file}: all addresses, port 53, the zones of {Path.Combine(directory, "zones")}");
    }
}
