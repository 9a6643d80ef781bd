namespace Dns.Commands;

/// <summary><c>dnsd manual PAGE</c>: prints a page of the manual for man(1).</summary>
internal static class ManualCommand
{
    private const string Program = "dnsd.8", SettingsPage = "dnsd.json.5";

    public static Command Create()
    {
        Argument<string> page =
            new("PAGE") { Description = $"{Program}, the commands, or {SettingsPage}, the settings." };
        page.AcceptOnlyFromAmong(Program, SettingsPage);
        Command command = new("manual", "Prints a page of the manual, for man(1).") { page };
        command.SetAction(result =>
        {
            TextWriter output = result.InvocationConfiguration.Output;
            output.Write(result.GetRequiredValue(page) == Program
                ? ProgramManual.Text(result.RootCommandResult.Command) : SettingsManual.Text());
            return ExitCode.Good;
        });
        return command;
    }
}
