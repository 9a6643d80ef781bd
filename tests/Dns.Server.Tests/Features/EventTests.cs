using System.Net;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Dns.Testing;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Core;
using Serilog.Events;
using Serilog.Extensions.Logging;
using Serilog.Formatting.Display;

namespace Dns.Server.Tests.Features;

/// <summary>What the log says: each line is an event with an id that stays, and a row in the docs.</summary>
public partial class EventTests
{
    private static readonly (MethodInfo Method, LoggerMessageAttribute Event)[] Events =
        [.. from type in typeof(TelemetryEvents).Assembly.GetTypes().Concat(typeof(Feature).Assembly.GetTypes())
            from method in type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            let message = method.GetCustomAttribute<LoggerMessageAttribute>()
            where message is not null
            orderby message.EventId
            select (method, message)];

    [Fact]
    public void Ids_are_unique_and_of_the_range_that_their_type_names()
    {
        Assert.NotEmpty(Events);
        Assert.Equal(Events.Length, Events.Select(one => one.Event.EventId).Distinct().Count());
        Assert.All(Events, one =>
        {
            int[] range = [.. Number().Matches(MeaningOf($"T:{one.Method.DeclaringType!.FullName}"))
                .Select(match => int.Parse(match.Value))];
            Assert.InRange(one.Event.EventId, range[0], range[1]);
        });
    }

    [Fact]
    public void The_page_of_events_has_a_row_for_each_event()
    {
        string[] expected = [.. Events.Select(one => RowOf(one.Method, one.Event))];
        string page = File.ReadAllText(Path.Combine(RepositoryDocs.Folder, "reference", "log-events.md"));
        string[] rows = [.. Row().Matches(page).Select(match => match.Value.TrimEnd())];
        string right = Path.Combine(AppContext.BaseDirectory, "events.md");
        File.WriteAllLines(right, expected);
        Assert.True(expected.SequenceEqual(rows),
            $"docs/reference/log-events.md lacks {expected.Except(rows).FirstOrDefault() ?? "the order"}; {right} " +
                $"has the rows");
    }

    [Fact]
    public void No_line_of_the_log_has_control_characters_of_what_it_is_about()
    {
        const string text = "\u001b]0;title\u0007\u009b2J\r\u202egnp.exe\n2030-01-02 ERR\tforged \u00fc\u6f22";
        const string shown =
            "\\u001b]0;title\\u0007\\u009b2J\\u000d\\u202egnp.exe\\u000a2030-01-02 ERR\\u0009forged \u00fc\u6f22";
        string file = Path.GetTempFileName();
        try
        {
            Microsoft.Extensions.Configuration.IConfigurationRoot settings =
                new Microsoft.Extensions.Configuration.ConfigurationBuilder()
                .Add(new Microsoft.Extensions.Configuration.Memory.MemoryConfigurationSource
                {
                    InitialData = new Dictionary<string, string?>
                    {
                        ["Serilog:WriteTo:0:Name"] = "File", ["Serilog:WriteTo:0:Args:path"] = file,
                    },
                }).Build();
            Assert.True(LogSetup.TryCreate(settings, new LogLevels(), new Recorder(), out Logger? log, out _));
            log.Information("Zone {File}", text);
            log.Information("Zones {Files}", (object)new[] { "plain", text });
            log.Error(new IOException("first", new IOException("second")), "Exception");
            log.Dispose();
            string[] lines = File.ReadAllLines(file);
            Assert.EndsWith("Zone " + shown, lines[0].Replace("\"", ""));
            Assert.Contains("forged", lines[1]);
            Assert.DoesNotContain(lines[1], c => char.IsControl(c) || c == '\u202e');
            // An exception has as many lines as it needs.
            Assert.EndsWith("Exception", lines[2]);
            Assert.StartsWith("System.IO.IOException: first", lines[3]);
            Assert.True(lines.Length > 4);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void A_line_of_this_server_has_its_id_and_one_of_a_library_has_none()
    {
        Recorder lines = new();
        using Logger log = new LoggerConfiguration().Enrich.With(new EventIds()).WriteTo.Sink(lines).CreateLogger();
        using SerilogLoggerFactory factory = new(log);
        factory.CreateLogger<LoopExceptions>().Listening(IPEndPoint.Parse("192.0.2.1:53"), "UDP and TCP");
        factory.CreateLogger("Microsoft.Hosting").LogError(new EventId(101), "Not ours");
        factory.CreateLogger<ZoneLog>().ZoneRemoved(DomainName.Parse("example.com."));
        Assert.Equal(
            ["D101 Listening on 192.0.2.1:53 (UDP and TCP)", "- Not ours",
                "D214 Zone example.com. is not served any more"], lines.Read);
    }

    private static string RowOf(MethodInfo method, LoggerMessageAttribute message)
    {
        string parameters =
            string.Join(',', method.GetParameters().Select(parameter => NameOf(parameter.ParameterType)));
        string meaning = MeaningOf($"M:{method.DeclaringType!.FullName}.{method.Name}({parameters})");
        return $"| D{message.EventId} | {message.Level.ToString().ToLowerInvariant()} | " +
            $"{Format().Replace(message.Message, "}")} | {meaning} |";
    }

    private static string NameOf(Type type) =>
        Nullable.GetUnderlyingType(type) is { } inner ? $"System.Nullable{{{inner.FullName}}}" : type.FullName!;

    /// <summary>The docstring of a member, as Markdown.</summary>
    private static string MeaningOf(string member)
    {
        XElement summary = Documentation.SelectMany(one => one.Descendants("member"))
            .Single(one => (string?)one.Attribute("name") == member).Element("summary")!;
        foreach (XElement code in summary.Elements("c").ToArray()) code.ReplaceWith($"`{code.Value}`");
        return Space().Replace(summary.Value.Trim(), " ");
    }

    private static readonly XDocument[] Documentation =
        [.. from type in (Type[])[typeof(TelemetryEvents), typeof(Feature)]
            select XDocument.Load(Path.ChangeExtension(type.Assembly.Location, "xml"))];

    private sealed class Recorder : ILogEventSink
    {
        private static readonly MessageTemplateTextFormatter Line = new("{Event} {Message:lj}");

        public List<string> Read { get; } = [];

        public void Emit(LogEvent logEvent)
        {
            StringWriter line = new();
            Line.Format(logEvent, line);
            Read.Add(line.ToString());
        }
    }

    [GeneratedRegex(@"^\| D\d+ \|.*$", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex(@":\w+\}")]
    private static partial Regex Format();

    [GeneratedRegex(@"\d+")]
    private static partial Regex Number();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();
}
