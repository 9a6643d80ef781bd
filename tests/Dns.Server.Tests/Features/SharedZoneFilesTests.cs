namespace Dns.Server.Tests.Features;

public sealed class SharedZoneFilesTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(""" "AllowUpdate": [ "127.0.0.1" ], """, "", 1)]
    [InlineData("", """, "AllowUpdate": [ "127.0.0.1" ] """, 1)]
    [InlineData(""" "AllowUpdate": [ "127.0.0.1" ], """, """, "AllowUpdate": [] """, 1)]
    [InlineData("", "", 0)]
    public void A_zone_with_updates_whose_file_is_also_that_of_another_is_a_warning(string all, string one, int count)
    {
        string zone = _folder.Write("zones/parked.zone", ""), other = _folder.Write("zones/other.zone", "");
        ServerOptions options = _folder.Options($$"""
            { {{all}} "Zones": [ { "Name": "b.example", "File": "zones/parked.zone" {{one}} },
                { "Name": "c.example", "File": "zones/parked.zone" },
                { "Name": "d.example", "File": "zones/other.zone" } ] }
            """);
        string[] warnings = [.. ServerFeatures.All.FindWarnings(options, ZoneExpansion.Of(options.Zones))
            .Select(warning => warning.ToString())];
        Assert.Equal(count, warnings.Length);
        if (one.Length > 0 && all.Length == 0)
            Assert.Equal($"{zone}: warning: zone b.example. has updates, and zone c.example. is served from this file "
                + "as well: \"dnsd zone sync\" does not write it", warnings[0]);
        Assert.DoesNotContain(warnings, warning => warning.StartsWith(other));
    }
}
