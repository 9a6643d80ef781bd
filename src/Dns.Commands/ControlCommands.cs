namespace Dns.Commands;

/// <summary>The commands for the running server.</summary>
internal static class ControlCommands
{
    public static IEnumerable<Command> Create() =>
    [
        ControlCommand.Create("status", "status", "Shows the status of the running server.", []),
        ControlCommand.Create("ready", "ready",
            "Shows whether the running server has read all zones; exit code 1 until then.", []),
        ControlCommand.Create("zones", "zones", "Lists the zones of the running server.",
        [
            ControlArgument.Value<int>("--limit", "N", "The most zones listed. Default 100.",
                n => n is >= 1 and <= 1_000_000, "a number from 1 to 1000000"),
            ControlArgument.Flag("--broken", "List only zones whose file has errors."),
        ], isInView: true),
        ControlCommand.Create("reload", "reload", "Reloads the settings and changed zones of the running server.",
            [ControlArgument.Flag("--dry-run", "Show what would change, and change nothing.")]),
        ControlCommand.Create("stop", "stop", "Stops the running server after pending queries are answered.", [],
            untilTheEnd: true),
        ControlCommand.Create("stats", "stats", "Shows the counters of the running server since its start.", []),
        ControlCommand.Create("querylog", "querylog", "Turns the query log of the running server on or off.",
            [ControlArgument.OneOf("on|off", "Whether queries are logged.", "on", "off")]),
        ControlCommand.Create("loglevel", "loglevel", "Sets the minimum log level of the running server.",
            [ControlArgument.OneOf("LEVEL", "One of " + string.Join(", ", SerilogSetting.Levels) + ".",
                SerilogSetting.Levels)]),
        ControlCommand.Create("why", "why", "Explains the answer of the running server to a question.",
        [
            ControlArgument.DomainName("The name to explain."),
            ControlArgument.OptionalWord("TYPE", "Which records; A without it.", CheckType),
            ControlArgument.Value<string>("--from", "ADDRESS", "The address of the client. Default 127.0.0.1.",
                text => AddressText.TryParse(text, out _), "an address"),
        ], isInView: true),
        new Command("cache", "Shows and flushes the cache of the running server.")
        {
            ControlCommand.Create("flush", "cache flush", "Flushes the cache, or removes a name from it.",
            [
                ControlArgument.DomainName("The name. Default: all names.", isOptional: true),
                ControlArgument.Flag("--below", "The name and all names below it."),
            ], isInView: true),
            ControlCommand.Create("lookup", "cache lookup", "Shows what the cache has for a name.",
                [ControlArgument.DomainName("The name.")], isInView: true),
        },
    ];

    /// <summary>Commands for one zone, below <c>zone</c>.</summary>
    public static IEnumerable<Command> CreateOfZone() =>
    [
        OfZone("status",
            "Shows the status of a zone of the running server; exit code 1 if its file has errors.", [Served]),
        OfZone("reload", "Reloads the file of a zone in the running server.", [Served]),
        OfZone("notify",
            "Sends NOTIFY for a zone to its secondaries.", [Served]),
        OfZone("add", "Adds a zone to the running server; it is served after restarts, too.",
            [ControlArgument.NewZone(ZoneName), ControlArgument.File("FILE", "Its zone file.")]),
        OfZone("remove",
            "Removes a zone from the running server, also after restarts.", [Served]),
        OfZone("sync",
            "Writes a zone that was updated over its file, which is kept with the ending .bak, and empties its " +
                "journal.", [Served]),
        OfZone("freeze",
            "Writes a zone over its file and refuses updates, so that the file can be edited.", [Served]),
        OfZone("thaw",
            "Loads the file of a zone, drops updates that the file lacks, and accepts updates again.", [Served]),
        OfZone("journal",
            "Prints the updates of a zone that its file does not have yet.",
        [
            Served,
            ControlArgument.Value<int>("--limit", "N", "The most updates printed, the last ones. Default 100.",
                n => n is >= 1 and <= 1_000_000, "a number from 1 to 1000000"),
        ]),
        OfZone("refresh",
            "Checks the primaries of a zone for a newer version.", [Served]),
        OfZone("retransfer",
            "Transfers a whole zone from its primaries, even without a newer version.", [Served]),
    ];

    private static Command OfZone(string name, string description, IReadOnlyList<ControlArgument> symbols) =>
        ControlCommand.Create(name, "zone " + name, description, symbols, isInView: true);

    private const string ZoneName = "The zone, such as example.com; . is the root.";

    private static ControlArgument Served => ControlArgument.ServedZone(ZoneName);

    private static string? CheckType(string text) =>
        RRTypeText.TryParse(Encoding.UTF8.GetBytes(text), out _) ? null : $"\"{text}\" is not a type";
}
