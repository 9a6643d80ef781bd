using Dns.Testing;
using Microsoft.Extensions.Configuration;
using Serilog;
using Serilog.Core;
using Serilog.Events;

namespace Dns.Telemetry.Tests.Hosting;

/// <summary>Lines of the log wait for sinks, and threads that log do not.</summary>
public sealed class LogQueueTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    private readonly VirtualClock _clock = new();
    private readonly HangingSink _sink = new();
    private readonly List<string> _errors = [];
    private readonly SettingsFolder _folder = new();

    public void Dispose()
    {
        _sink.Continue();
        _folder.Dispose();
    }

    /// <summary>A queue whose report of lost lines is a line, as in the server.</summary>
    private LogQueue Queue(TimeSpan? stopTimeout = null)
    {
        LogQueue queue = new(_clock, _errors.Add) { StopTimeout = stopTimeout ?? Patience };
        queue.WriteTo(new LoggerConfiguration().WriteTo.Sink(_sink).CreateLogger());
        queue.Lost = lost => Log(queue, $"lost {lost}");
        return queue;
    }

    private static void Log(LogQueue queue, string text)
    {
        using Logger log = new LoggerConfiguration().WriteTo.Sink(new Undisposed(queue)).CreateLogger();
        log.Information("{Text:l}", text);
    }

    private static void Log(LogQueue queue, int from, int count)
    {
        for (int i = from; i < from + count; i++) Log(queue, i.ToString());
    }

    private static IEnumerable<string> Numbers(int from, int count) =>
        Enumerable.Range(from, count).Select(number => number.ToString());

    [Fact]
    public void Lines_are_written_in_their_order_before_the_end()
    {
        LogQueue queue = Queue();
        Log(queue, 0, 1000);
        queue.WriteError("an error");
        queue.Dispose();
        Assert.Equal(Numbers(0, 1000), _sink.Lines);
        Assert.Equal(["an error"], _errors);
        Assert.True(_sink.IsDisposed);
        Log(queue, "late");
        Assert.Equal(1000, _sink.Lines.Count);
    }

    [Fact]
    public void A_sink_that_hangs_costs_lines_and_one_that_says_how_many()
    {
        _sink.Hang();
        LogQueue queue = Queue();
        Log(queue, "first");
        _sink.WaitForLine();
        Log(queue, 0, LogQueue.Capacity + 25);
        _sink.Continue();
        queue.Dispose();
        Assert.Equal(["first", .. Numbers(0, LogQueue.Capacity), "lost 25"], _sink.Lines);
    }

    [Fact]
    public void Lines_that_a_slow_sink_loses_are_reported_after_a_minute()
    {
        _sink.Hang();
        LogQueue queue = Queue();
        Log(queue, "first");
        _sink.WaitForLine();
        Log(queue, 0, LogQueue.Capacity + 25);
        _clock.Advance(TimeSpan.FromMinutes(1));
        _sink.Continue();
        queue.Dispose();
        Assert.Equal(["first", "lost 25", .. Numbers(0, LogQueue.Capacity)], _sink.Lines);
    }

    [Fact]
    public void A_log_sink_that_hangs_does_not_hold_a_stop()
    {
        _sink.Hang();
        LogQueue queue = Queue(TimeSpan.FromMilliseconds(10));
        Log(queue, "first");
        _sink.WaitForLine();
        Log(queue, 0, 5);
        queue.Dispose();
        Assert.False(_sink.IsDisposed);
        _sink.Continue();
        Assert.True(SpinWait.SpinUntil(() => _sink.IsDisposed, Patience));
        // What was given up is not written later.
        Assert.Equal(["first"], _sink.Lines);
    }

    [Fact]
    public void A_sink_that_throws_is_reported_on_standard_error_and_gets_the_next_line()
    {
        LogQueue queue = new(_clock, _errors.Add) { StopTimeout = Patience };
        queue.WriteTo(new LoggerConfiguration().AuditTo.Sink(_sink).CreateLogger());
        _sink.OnLine = line =>
        {
            if (line == "0") throw new InvalidOperationException("a\nb");
        };
        Log(queue, 0, 2);
        queue.Dispose();
        Assert.Equal(["1"], _sink.Lines);
        Assert.Equal(["dnsd: log: Failed to emit a log event. (a\\u000ab)"], _errors);
    }

    [Fact]
    public void A_standard_error_that_takes_nothing_ends_nothing()
    {
        LogQueue queue = new(_clock, line => throw new IOException(line)) { StopTimeout = Patience };
        queue.WriteTo(new LoggerConfiguration().WriteTo.Sink(_sink).CreateLogger());
        queue.WriteError("an error");
        Log(queue, "a line");
        queue.Dispose();
        Assert.Equal(["a line"], _sink.Lines);
    }

    [Fact]
    public void Values_of_a_line_are_those_of_the_call()
    {
        _sink.Hang();
        LogQueue queue = Queue();
        System.Text.StringBuilder text = new("before");
        using (Logger log = new LoggerConfiguration().WriteTo.Sink(new Undisposed(queue)).CreateLogger())
            log.Information("{Text:l} {Texts:l}", text, new[] { text });
        _sink.WaitForLine();
        text.Clear().Append("after");
        _sink.Continue();
        queue.Dispose();
        Assert.Equal(["before [before]"], _sink.Lines);
    }

    [Fact]
    public void Lines_of_the_settings_have_their_levels_filters_and_properties()
    {
        string file = Path.Combine(_folder.Root, "log"), second = Path.Combine(_folder.Root, "second");
        IConfiguration settings = _folder.Read($$"""
            { "Serilog": {
                "MinimumLevel": { "Default": "Warning", "Override": { "Own": "Debug" } }, "Properties": { "Name": "x" },
                "LevelSwitches": { "$second": "Error" }, "WriteTo": [
                  { "Name": "File", "Args": { "path": "{{file}}", "outputTemplate": "{Name} {Message:lj}{NewLine}" } },
                  { "Name": "File", "Args": { "path": "{{second}}", "levelSwitch": "$second" } } ] } }
            """).Configuration;
        RecentErrors recent = new();
        Assert.True(LogSetup.TryCreate(settings, new LogLevels(), recent, out Logger? log, out _));
        log.Information("not wanted");
        log.Warning("wanted");
        // Without waiting for the thread.
        Assert.Equal("wanted", Assert.Single(recent.Read()).Text);
        log.ForContext(Constants.SourceContextPropertyName, "Own.Part").Debug("of a source");
        log.Dispose();
        Assert.Equal(["x wanted", "x of a source"], File.ReadAllLines(file));
        Assert.Empty(File.ReadAllText(second));
    }

    [Fact]
    public void A_standard_error_that_hangs_holds_neither_a_caller_nor_a_stop()
    {
        LogQueue queue = new(_clock, _ => _sink.WaitUntilOpen()) { StopTimeout = TimeSpan.FromMilliseconds(10) };
        _sink.Hang();
        for (int i = 0; i < LogQueue.Capacity + 2; i++) queue.WriteError("an error");
        queue.Dispose();
    }

    /// <summary>A logger disposes its sinks, and the queue is used by several.</summary>
    private sealed class Undisposed(ILogEventSink inner) : ILogEventSink
    {
        public void Emit(LogEvent logEvent) => inner.Emit(logEvent);
    }

    private sealed class HangingSink : ILogEventSink, IDisposable
    {
        private readonly ManualResetEventSlim _entered = new(), _open = new(initialState: true);
        private volatile bool _isDisposed;

        public List<string> Lines { get; } = [];

        public Action<string>? OnLine { get; set; }

        public bool IsDisposed => _isDisposed;

        public void Hang() => _open.Reset();

        public void Continue() => _open.Set();

        public void WaitForLine() => Assert.True(_entered.Wait(Patience));

        public void WaitUntilOpen() => Assert.True(_open.Wait(Patience));

        public void Emit(LogEvent logEvent)
        {
            _entered.Set();
            WaitUntilOpen();
            string line = logEvent.RenderMessage();
            OnLine?.Invoke(line);
            Lines.Add(line);
        }

        public void Dispose() => _isDisposed = true;
    }
}
