using System.CommandLine;
using System.Net;
using System.Text;
using Dns.Protocol;

namespace Dns.Commands;

/// <summary>The commands for the running server.</summary>
internal static class ControlCommands
{
    /// <summary>Top-level commands.</summary>
    public static IEnumerable<Command> Create() =>
    [
        ControlCommand.Create("status", "status", "Says what the running server is and does.", []),
        ControlCommand.Create("ready", "ready",
            "Says whether the running server has read all zones; exit code 1 while it has not.", []),
        ControlCommand.Create("zones", "zones", "Lists the zones of the running server.",
        [
            ControlArgument.Value<int>("--limit", "N", "List so many. 100 without it.",
                n => n is >= 1 and <= 1_000_000, "a number from 1 to 1000000"),
            ControlArgument.Flag("--broken", "List only those whose file has errors."),
        ]),
        ControlCommand.Create("reload", "reload", "Has the running server read its settings and changed zones again.",
            [ControlArgument.Flag("--dry-run", "Say what would change, and change nothing.")]),
        ControlCommand.Create("stop", "stop", "Stops the running server when it has answered what it has read.", [],
            untilTheEnd: true),
        ControlCommand.Create("stats", "stats", "Says what the running server has counted since its start.", []),
        ControlCommand.Create("querylog", "querylog", "Turns the log of queries of the running server on or off.",
            [ControlArgument.OneOf("on|off", "Whether queries are logged.", "on", "off")]),
        ControlCommand.Create("loglevel", "loglevel", "Sets the least important level that the running server logs.",
            [ControlArgument.OneOf("LEVEL", "One of " + string.Join(", ", SerilogSetting.Levels) + ".",
                SerilogSetting.Levels)]),
        ControlCommand.Create("why", "why", "Explains the answer of the running server to a question.",
        [
            ControlArgument.DomainName("The name to explain."),
            ControlArgument.OptionalWord("TYPE", "Which records; A without it.", CheckType),
            ControlArgument.Value<string>("--from", "ADDRESS", "Who would ask; 127.0.0.1 without it.",
                text => IPAddress.TryParse(text, out _), "an address"),
        ]),
        new Command("cache", "Looks into the cache of the running server, and empties it.")
        {
            ControlCommand.Create("flush", "cache flush", "Empties the cache, or removes a name from it.",
            [
                ControlArgument.DomainName("The name; everything without it.", isOptional: true),
                ControlArgument.Flag("--below", "The name and all names below it."),
            ]),
            ControlCommand.Create("lookup", "cache lookup", "Shows what the cache has for a name.",
                [ControlArgument.DomainName("The name.")]),
        },
    ];

    /// <summary>Commands for one zone, below <c>zone</c>.</summary>
    public static IEnumerable<Command> CreateOfZone() =>
    [
        ControlCommand.Create("status", "zone status",
            "Says all about a zone of the running server; 1 when its file has errors.", [Served]),
        ControlCommand.Create("reload", "zone reload", "Has the running server read a zone's file again.", [Served]),
        ControlCommand.Create("notify", "zone notify",
            "Has the running server notify the secondaries of a zone.", [Served]),
        ControlCommand.Create("add", "zone add", "Has the running server serve one more zone, after restarts too.",
            [ControlArgument.DomainName(ZoneName), ControlArgument.File("FILE", "Its zone file.")]),
        ControlCommand.Create("remove", "zone remove",
            "Has the running server serve a zone no more, after restarts neither.", [Served]),
        ControlCommand.Create("sync", "zone sync",
            "Writes a zone that was updated over its file, which is kept with the ending .bak, and empties its " +
                "journal.", [Served]),
        ControlCommand.Create("freeze", "zone freeze",
            "Writes a zone over its file and refuses updates, so that the file can be edited.", [Served]),
        ControlCommand.Create("thaw", "zone thaw",
            "Takes a zone's file as it is, drops updates that it does not have, and takes updates again.", [Served]),
        ControlCommand.Create("journal", "zone journal",
            "Prints the updates of a zone that its file does not have yet.",
        [
            Served,
            ControlArgument.Value<int>("--limit", "N", "Print the last so many. 100 without it.",
                n => n is >= 1 and <= 1_000_000, "a number from 1 to 1000000"),
        ]),
        ControlCommand.Create("refresh", "zone refresh",
            "Has the running server ask a zone's primaries for a newer version.", [Served]),
        ControlCommand.Create(
            "retransfer", "zone retransfer",
            "Has the running server transfer a zone whole, whatever version it has.", [Served]),
    ];

    private const string ZoneName = "The zone, such as example.com; . is the root.";

    private static ControlArgument Served => ControlArgument.ServedZone(ZoneName);

    private static string? CheckType(string text) =>
        RRTypeText.TryParse(Encoding.UTF8.GetBytes(text), out _) ? null : $"\"{text}\" is not a type";
}
