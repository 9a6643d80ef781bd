using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Configuration;
using Serilog.Core;
using Serilog.Events;
using Serilog.Extensions.Logging;
using Serilog.Parsing;

namespace Dns.Telemetry.Tests.Hosting;

/// <summary>The log as JSON: one object a line, whatever is logged.</summary>
public sealed class JsonLogTests : IDisposable
{
    private static readonly DateTimeOffset At =
        new DateTimeOffset(2030, 1, 2, 5, 4, 5, TimeSpan.FromHours(2)).AddTicks(1234567);

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static LogEvent Event(LogEventLevel level, string template, Exception? exception,
        params (string Name, object? Value)[] properties) =>
        new(At, level, exception, new MessageTemplateParser().Parse(template),
            properties.Select(property => new LogEventProperty(property.Name, ValueOf(property.Value))));

    private static LogEventPropertyValue ValueOf(object? value) => value is (string, object)[] members
        ? new StructureValue(members.Select(member => new LogEventProperty(member.Item1, ValueOf(member.Item2))))
        : value is object[] list ? new SequenceValue(list.Select(ValueOf)) : new ScalarValue(value);

    private static JsonElement Read(LogEvent logEvent)
    {
        StringWriter output = new();
        new JsonLogFormatter().Format(logEvent, output);
        string text = output.ToString();
        Assert.EndsWith(Environment.NewLine, text);
        string line = Assert.Single(text.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        return JsonDocument.Parse(line).RootElement;
    }

    [Fact]
    public void A_line_has_time_level_event_message_source_and_properties()
    {
        JsonElement line = Read(Event(
            LogEventLevel.Warning, "Zone {Zone} has {Count:000} records", null, ("Zone", "a\"b"), ("Count", 7),
            ("SourceContext", "Dns.Server.X"),
            ("EventId", new (string, object)[] { ("Id", 206) }), (EventIds.Property, "D206"),
            ("More", new object[] { true, 1.5, "x" })));
        Assert.Equal(["timestamp", "level", "event", "message", "source", "properties"],
            line.EnumerateObject().Select(member => member.Name));
        Assert.Equal("2030-01-02T03:04:05.123456Z", line.GetProperty("timestamp").GetString());
        Assert.Equal("warning", line.GetProperty("level").GetString());
        Assert.Equal("D206", line.GetProperty("event").GetString());
        Assert.Equal("Zone a\"b has 007 records", line.GetProperty("message").GetString());
        Assert.Equal("Dns.Server.X", line.GetProperty("source").GetString());
        Assert.Equal("""{"Zone":"a\"b","Count":7,"More":[true,1.5,"x"]}""",
            line.GetProperty("properties").GetRawText());
    }

    [Fact]
    public void A_line_of_a_library_has_no_event_and_an_exception_is_one_text()
    {
        JsonElement line =
            Read(Event(LogEventLevel.Error, "{A}", new InvalidOperationException("first\nsecond"),
                ("A", "x\r\ny\u001b[31m")));
        Assert.Equal("-", line.GetProperty("event").GetString());
        Assert.Equal("x\r\ny\u001b[31m", line.GetProperty("message").GetString());
        Assert.StartsWith("System.InvalidOperationException: first\nsecond", line.GetProperty("exception").GetString());
        Assert.False(line.TryGetProperty("source", out _));
    }

    [Theory]
    [InlineData(double.NaN, "\"NaN\"")]
    [InlineData(double.PositiveInfinity, "\"Infinity\"")]
    [InlineData(1.25f, "1.25")]
    [InlineData(ulong.MaxValue, "18446744073709551615")]
    [InlineData(-3L, "-3")]
    [InlineData(null, "null")]
    [InlineData('c', "\"c\"")]
    public void Each_value_is_what_json_has_for_it(object? value, string expected) =>
        Assert.Equal(expected, Read(Event(LogEventLevel.Debug, "x", null, ("A", value))).GetProperty("properties")
            .GetProperty("A").GetRawText());

    [Fact]
    public void A_line_for_the_journal_begins_with_its_priority()
    {
        StringWriter output = new();
        new SystemdFormatter(isJson: true).Format(Event(LogEventLevel.Error, "a\nb", new IOException("c\nd")), output);
        string line = Assert.Single(output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.StartsWith("<3>{", line);
        Assert.Equal("a\nb", JsonDocument.Parse(line[3..]).RootElement.GetProperty("message").GetString());
    }

    private string[] Logged(string format, string sinks)
    {
        string file = Path.Combine(_folder.Root, "log");
        IConfiguration settings = _folder.Read(
            $$"""{ "Dns": { "Log": { "Format": "{{format}}" } }, "Serilog": { "WriteTo": {{sinks.Replace("FILE", file)}} } }""").Configuration;
        Assert.True(LogSetup.TryCreate(settings, new LogLevels(), new RecentErrors(), out Logger? log, out _));
        log.Information("Hello {Name}", "you");
        log.Dispose();
        return File.ReadAllLines(file);
    }

    [Theory]
    [InlineData("""[ { "Name": "File", "Args": { "path": "FILE" } } ]""")]
    [InlineData("""{ "Own": { "Name": "File", "Args": { "path": "FILE", "fileSizeLimitBytes": 1000000 } } }""")]
    public void Files_of_the_section_have_json(string sinks)
    {
        string line = Assert.Single(Logged("JSON", sinks));
        Assert.Equal("Hello you", JsonDocument.Parse(line).RootElement.GetProperty("message").GetString());
        Assert.DoesNotContain("{", string.Concat(Logged("text", sinks)[1..]));
    }

    [Theory]
    [InlineData("""[ { "Name": "File", "Args": { "path": "FILE" } } ]""")]
    [InlineData("""[ "Console", { "Name": "File", "Args": { "path": "FILE", "rollOnFileSizeLimit": true } } ]""")]
    public void Files_of_the_section_have_the_lines_of_the_console_with_event_ids(string sinks)
    {
        string file = Path.Combine(_folder.Root, "log");
        IConfiguration settings = _folder.Read(
            $$"""{ "Serilog": { "WriteTo": {{sinks.Replace("FILE", file)}} } }""").Configuration;
        Assert.True(LogSetup.TryCreate(settings, new LogLevels(), new RecentErrors(), out Logger? log, out _));
        using (log) new SerilogLoggerFactory(log).CreateLogger("Dns.Server.X").SettingsUsed("dnsd.json");
        Assert.Matches("^[0-9-]{10} [0-9:.]{12} INF D108 Settings: dnsd.json$",
            Assert.Single(File.ReadAllLines(file)));
    }

    [Theory]
    [InlineData("")]
    [InlineData(", \"fileSizeLimitBytes\": null")]
    [InlineData(", \"outputTemplate\": \"{Message:lj}{NewLine}\"")]
    [InlineData(", \"formatter\": \"Serilog.Formatting.Json.JsonFormatter, Serilog\"")]
    [InlineData(", \"shared\": false")]
    [InlineData(", \"shared\": true")]
    public void Two_processes_append_to_a_file(string more)
    {
        if (!OperatingSystem.IsLinux()) Assert.Skip("files have no mode for it");
        string file = Path.Combine(_folder.Root, "log");
        IConfiguration settings = _folder.Read($$"""
            { "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "{{file}}"{{more}} } } ] } }
            """).Configuration;
        Logger[] logs = new Logger[2];
        for (int i = 0; i < logs.Length; i++)
            Assert.True(LogSetup.TryCreate(settings, new LogLevels(), new RecentErrors(), out logs[i]!, out _));
        for (int i = 0; i < 20; i++) logs[i % 2].Information("line " + i);
        foreach (Logger log in logs) log.Dispose();
        string[] lines = File.ReadAllLines(file);
        Assert.Equal(20, lines.Length);
        // Each has a queue of its own.
        for (int i = 0; i < 20; i++) Assert.Single(lines, line => Regex.IsMatch(line, $@"line {i}\b"));
    }

    [Theory]
    [InlineData("", "")]
    [InlineData(", \"fileSizeLimitBytes\": 2000", "2000")]
    [InlineData(", \"FileSizeLimitBytes\": null", null)]
    [InlineData(", \"rollingInterval\": \"Day\"", null)]
    [InlineData(", \"rollOnFileSizeLimit\": true", null)]
    public void A_file_that_does_not_roll_has_no_limit_that_counts_what_was_truncated(string more, string? limit)
    {
        string file = Path.Combine(_folder.Root, "log");
        IConfiguration settings = SinkFormats.AddTo(_folder.Read($$"""
            { "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "{{file}}"{{more}} } } ] } }
            """).Configuration);
        Assert.Equal(limit, settings["Serilog:WriteTo:0:Args:fileSizeLimitBytes"]);
        Assert.True(LogSetup.TryCreate(settings, new LogLevels(), new RecentErrors(), out Logger? log, out _));
        using (log) log.Information("line");
        Assert.Single(Directory.GetFiles(_folder.Root, "log*").SelectMany(File.ReadAllLines));
    }

    [Theory]
    [InlineData("")]
    [InlineData(", \"shared\": true")]
    [InlineData(", \"shared\": \"True\", \"fileSizeLimitBytes\": null")]
    public void A_file_that_is_truncated_after_a_copy_is_appended_to_from_its_start(string more)
    {
        if (!OperatingSystem.IsLinux()) Assert.Skip("files have no mode for it");
        string file = _folder.Write("log", "a line of an earlier process\n");
        IConfiguration settings = _folder.Read($$"""
            { "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "{{file}}"{{more}} } } ] } }
            """).Configuration;
        Assert.True(LogSetup.TryCreate(settings, new LogLevels(), new RecentErrors(), out Logger? log, out _));
        using (log)
        {
            log.Information("before");
            Assert.True(SpinWait.SpinUntil(() => new FileInfo(file).Length > 40, TimeSpan.FromMinutes(3)));
            using (FileStream truncated = new(file, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
                truncated.SetLength(0);
            log.Information("after");
        }
        Assert.EndsWith(" after", Assert.Single(File.ReadAllLines(file)));
        Assert.NotEqual(0, File.ReadAllBytes(file)[0]);
    }

    [Theory]
    [InlineData("""{ "shared": true, "buffered": true }""")]
    [InlineData("""{ "shared": true, "hooks": "Own::Hooks, Own" }""")]
    public void What_a_file_cannot_have_together_stays_an_error_of_the_sink(string arguments)
    {
        IConfiguration settings = SinkFormats.AddTo(_folder.Read(
            $$"""{ "Serilog": { "WriteTo": [ { "Name": "File", "Args": {{arguments}} } ] } }""").Configuration);
        Assert.Equal("True", settings["Serilog:WriteTo:0:Args:shared"], ignoreCase: true);
        Assert.DoesNotContain("AppendedFiles", settings["Serilog:WriteTo:0:Args:hooks"] ?? "");
    }

    [Theory]
    [InlineData("""[ { "Name": "File", "Args": { "path": "FILE", "outputTemplate": "own {Message}{NewLine}" } } ]""",
        "own Hello \"you\"")]
    [InlineData(
        """[ { "Name": "File", "Args": { "path": "FILE", "formatter": "Serilog.Formatting.Json.JsonFormatter, Serilog" } } ]""", null)]
    public void A_sink_with_a_format_of_its_own_keeps_it(string sinks, string? expected)
    {
        if (expected is not null) Assert.Equal([expected], Logged("json", sinks));
        else Assert.DoesNotContain("\"timestamp\"", string.Concat(Logged("json", sinks)));
    }

    [Fact]
    public void A_console_given_by_its_name_alone_has_json_and_nothing_else_changes()
    {
        IConfiguration settings = SinkFormats.AddTo(_folder.Read(
            """{ "Dns": { "Log": { "Format": "json" } }, "Serilog": { "WriteTo": [ "Console", { "Name": "Other", "Args": { "a": "b" } } ] } }""").Configuration);
        Assert.Null(settings["Serilog:WriteTo:0"]);
        Assert.Equal("Console", settings["Serilog:WriteTo:0:Name"]);
        Assert.Equal(typeof(JsonLogFormatter), Type.GetType(settings["Serilog:WriteTo:0:Args:formatter"]!));
        Assert.Equal(["a"], settings.GetSection("Serilog:WriteTo:1:Args").GetChildren().Select(member => member.Key));
    }

    [Theory]
    [InlineData("file")]
    [InlineData("CONSOLE")]
    public void A_sink_whose_name_would_be_ignored_is_an_error(string name) =>
        Assert.Contains(
            $"Serilog:WriteTo:0:Name is \"{name}\": expected a sink with the Name Console or File",
            Assert.Single(_folder
                .Problems($$"""{ "Serilog": { "WriteTo": [ { "Name": "{{name}}", "Args": { "path": "x" } } ] } }""")));

    [Fact]
    public void The_log_is_text_unless_the_settings_say_otherwise()
    {
        Assert.Equal(LogFormat.Text, _folder.Options("{}").Log.Format);
        Assert.Equal(LogFormat.Json, _folder.Options("""{ "Log": { "Format": "JSON" } }""").Log.Format);
        Assert.Equal(
            ["dnsd.json:1:21: error: Dns:Log:Format is \"xml\": expected one of text, json"],
            _folder.Problems("""{ "Dns": { "Log": { "Format": "xml" } } }"""));
    }
}
