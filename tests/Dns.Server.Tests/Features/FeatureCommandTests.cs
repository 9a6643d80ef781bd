namespace Dns.Server.Tests.Features;

/// <summary>The commands of features.</summary>
public class FeatureCommandTests
{
    private readonly TelemetrySources _sources = new();

    [Fact]
    public void A_query_log_or_a_cache_that_is_not_configured_is_another_error_than_a_failure()
    {
        CacheReplies cache = new(null);
        CommandTable commands = Commands;
        new QueryLogFeature(null).AddTo(commands);
        foreach (Action operation in (Action[])
            [() => cache.Flush(Call()), () => cache.Lookup(Call(".")), () => commands.Find("querylog")!(Call("on"))])
            Assert.Equal(OperationError.NotConfigured, Assert.Throws<OperationException>(operation).Error);
    }

    [Fact]
    public void A_name_that_the_cache_does_not_have_has_no_entries()
    {
        CacheReplies cache = new(_sources.All.Forwarder!.Cache);
        Assert.Equal("nothing is known of www.example.", cache.Lookup(Call("www.example.")).Text!.TrimEnd());
        Assert.Equal("0 answers forgotten", cache.Flush(Call("example.", "true")).Text!.TrimEnd());
    }

    [Fact]
    public void No_two_features_have_a_command_of_the_same_words()
    {
        CommandTable commands = Commands;
        commands.Add("cache flush", _ => null!);
        Assert.Throws<ArgumentException>(() => commands.Add("cache flush", _ => null!));
        Assert.Null(commands.Find("cache"));
    }

    private CommandTable Commands => new(_sources.Status, null!, null!);

    private static ControlCall Call(params string[] arguments) =>
        new(new ControlRequest("") { Arguments = arguments }, CancellationToken.None);
}
