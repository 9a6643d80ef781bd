using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using Serilog.Events;

namespace Dns.Management.Tests.Operations;

public sealed class ServerOperationsTests : IHostApplicationLifetime
{
    private readonly LogLevels _levels = new();
    private bool _isStopping;

    CancellationToken IHostApplicationLifetime.ApplicationStarted => default;

    CancellationToken IHostApplicationLifetime.ApplicationStopping => default;

    CancellationToken IHostApplicationLifetime.ApplicationStopped => default;

    void IHostApplicationLifetime.StopApplication() => _isStopping = true;

    private ServerOperations Operations(Forwarding.Forwarder? forwarder = null, IQueryLog? queries = null) =>
        new(_levels, this, NullLogger<ServerOperations>.Instance, forwarder, queries);

    [Fact]
    public void What_is_not_configured_is_told_apart_from_what_failed()
    {
        ServerOperations operations = Operations();
        foreach (Action operation in (Action[])
            [() => operations.FlushCache(null, false), () => operations.LookUpCache(DomainName.Root),
                () => operations.SetQueryLog(true)])
            Assert.Equal(OperationError.NotConfigured, Assert.Throws<OperationException>(operation).Error);
    }

    [Fact]
    public void The_query_log_and_the_log_level_change_at_once_and_a_stop_is_asked_for()
    {
        QueryLog queries = new();
        ServerOperations operations = Operations(queries: queries);
        operations.SetQueryLog(true);
        Assert.True(queries.IsOn);
        operations.SetQueryLog(false);
        Assert.False(queries.IsOn);
        operations.SetLogLevel(LogEventLevel.Error);
        Assert.Equal(LogEventLevel.Error, _levels.Least);
        Assert.False(_isStopping);
        operations.Stop();
        Assert.True(_isStopping);
    }

    [Fact]
    public void A_name_that_the_cache_does_not_hold_has_no_entries()
    {
        ServerOperations operations = Operations(new TelemetrySources().All.Forwarder);
        CacheContent content = operations.LookUpCache(DomainName.Parse("www.example."));
        Assert.Equal(("www.example.", 0), (content.Name, content.Entries.Count));
        Assert.Equal(0, operations.FlushCache(DomainName.Parse("example."), withBelow: true));
    }

    private sealed class QueryLog : IQueryLog
    {
        public bool IsOn { get; set; }
    }
}
