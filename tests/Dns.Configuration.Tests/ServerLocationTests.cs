using Dns.Testing.Server;
using Xunit;

namespace Dns.Configuration.Tests;

/// <summary>Settings with errors still say where the running server is, if what says it is not one of them.</summary>
public sealed class ServerLocationTests : IDisposable
{
    private const string Listen = "\"Listen\": [\"127.0.0.1:5300\"]";
    private const string AtSocket = "\"Control\": { \"Socket\": \"/run/d.sock\" }";
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("\"Workers\": -1")]
    [InlineData("\"Workers\": -1, " + Listen)]
    [InlineData("\"Workerz\": 1, " + Listen)]
    [InlineData("\"Workerz\": 1, " + AtSocket)]
    [InlineData("\"Zones\": [ { \"Nam\": \"a\" } ], " + Listen)]
    [InlineData("\"Workers\": 1, \"Workers\": 2, " + Listen)]
    [InlineData("\"Control\": { \"Socket\": \"auto\" }, \"Workers\": -1")]
    [InlineData("\"Control\": { \"Socket\": null }, \"Workerz\": -1")]
    public void Errors_elsewhere_do_not_matter(string dns)
    {
        Settings settings = _folder.Read($$"""{ "Dns": { {{dns}} } }""");
        Assert.NotEmpty(settings.Problems);
        Assert.True(settings.LocatesServer);
    }

    // Behind a misspelled key stands the default, where another server may run.
    [Theory]
    [InlineData("{ \"Dns\": { \"Listen\": [\"127.0.0.1:x\"] } }")]
    [InlineData("{ \"Dns\": { \"Listen\": [] } }")]
    [InlineData("{ \"Dns\": { \"Lisen\": [\"127.0.0.1:5300\"] } }")]
    [InlineData("{ \"Dns\": { \"listen-on\": [\"127.0.0.1:5300\"] } }")]
    [InlineData("{ \"Dns\": { \"Control\": { \"Socket\": \"auto\" }, \"Lisen\": [] } }")]
    [InlineData("{ \"Dns\": { \"Control\": { \"Socket\": 1 }, " + Listen + " } }")]
    [InlineData("{ \"Dns\": { \"Control\": { \"Sockt\": \"/s\" }, " + Listen + " } }")]
    [InlineData("{ \"Dns\": { \"Contorl\": { \"Socket\": \"/s\" }, " + Listen + " } }")]
    [InlineData("{ \"Dns\": { " + Listen + ", \"listen\": [\"127.0.0.1:5301\"] } }")]
    [InlineData("{ \"Dns\": { " + AtSocket + ", " + AtSocket + " } }")]
    [InlineData("{ \"Dns\": { " + Listen + " }, \"Dns\": { } }")]
    [InlineData("{ \"Dsn\": { " + Listen + " } }")]
    [InlineData("{ \"Dsn\": { " + Listen + " }, \"Dns\": { } }")]
    [InlineData("{ \"Dns\": [] }")]
    [InlineData("{ \"Dns\": { " + Listen)]
    public void Errors_in_what_says_it_do(string json)
    {
        Settings settings = _folder.Read(json);
        Assert.NotEmpty(settings.Problems);
        Assert.False(settings.LocatesServer);
    }

    [Fact]
    public void Settings_without_errors_say_it() => Assert.True(_folder.Read("{ }").LocatesServer);
}
