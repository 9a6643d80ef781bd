namespace Dns.Commands;

/// <summary>dnsd(8): the commands, generated like <c>--help</c>.</summary>
internal static class ProgramManual
{
    public static string Text(Command root)
    {
        ManualText page = new ManualText("DNSD", 8)
            .Section("NAME").Paragraph("dnsd - a DNS server")
            .Section("SYNOPSIS").Verbatim(["dnsd [run] [--config FILE] [--Dns:KEY=VALUE ...]", "dnsd COMMAND ..."])
            .Section("DESCRIPTION")
            .Paragraph(
                "dnsd serves zones from master files over UDP and TCP. Its settings are JSON, see dnsd.json(5); any of "
                    + "them can be given on the command line as --Dns:KEY=VALUE or in the environment as Dns__KEY. "
                +
                "Sockets are bound first; a zone that has not been read yet, or is broken, answers SERVFAIL.")
            .Section("COMMANDS");
        foreach (Command command in root.Subcommands) AddCommand(command, "dnsd", page);
        return page.Section("EXIT STATUS")
            .Term("0", "good")
            .Term("1", "a check or request failed, or the server cannot start")
            .Term("2", "the command line is malformed")
            .Term("3", "an import was written, and a statement blocks the move")
            .Section("SIGNALS")
            .Term("SIGTERM, SIGINT", "stop: no more queries are read; queries that were read are answered")
            .Term("SIGHUP",
                "reload the settings and changed zones; on an error the last good version is kept")
            .Section("ENVIRONMENT")
            .Term("NOTIFY_SOCKET, WATCHDOG_USEC",
                "start, watchdog and stop are reported to the service manager, see sd_notify(3)")
            .Term("LISTEN_FDS, LISTEN_PID",
                "inherited sockets, used instead of binding their addresses, see sd_listen_fds(3)")
            .Term("JOURNAL_STREAM", "when standard output leads to the journal, lines begin with their priority")
            .Term("STATE_DIRECTORY", "where zones that \"dnsd zone add\" has added are kept, see systemd.exec(5)")
            .Section("FILES")
            .Term("./dnsd.json", "the settings that are used when --config names none")
            .Term("/etc/dnsd/dnsd.json", "the settings of the service, and of the machine when there is no ./dnsd.json")
            .Term("/etc/dnsd/zones", "its zones: NAME.zone holds the zone NAME")
            .Term("/var/lib/dnsd/zones.json", "its zones that were added and removed by commands")
            .Section("EXAMPLES").Verbatim(CommandExamples.Of("dnsd"))
            .Section("SEE ALSO").Paragraph("dnsd.json(5), systemctl(1), journalctl(1)")
            .ToString();
    }

    private static void AddCommand(Command command, string path, ManualText page)
    {
        if (command.Hidden) return;
        path += " " + command.Name;
        foreach (Command inner in command.Subcommands) AddCommand(inner, path, page);
        if (command.Subcommands.Count > 0) return;
        page.Subsection(path + OptionalArguments.Of(command));
        page.Paragraph(command.Description ?? "");
        foreach (Argument argument in command.Arguments) page.Term(argument.Name, argument.Description ?? "");
        foreach (Option option in command.Options
            .Where(option => !option.Hidden && option is not System.CommandLine.Help.HelpOption))
        {
            string names = string.Join(", ", option.Aliases.Prepend(option.Name).Distinct());
            page.Term(option.HelpName is null ? names : $"{names} {option.HelpName}", option.Description ?? "");
        }
    }
}
