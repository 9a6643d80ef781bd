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
            if (result.GetRequiredValue(page) == Program)
            {
                output.Write(ProgramManual.Text(result.RootCommandResult.Command));
                return ExitCode.Good;
            }
            string file = Path.Combine(AppContext.BaseDirectory, SettingsManual.SchemaFile);
            try
            {
                output.Write(SettingsManual.Text(File.ReadAllText(file)));
                return ExitCode.Good;
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException
                or System.Text.Json.JsonException)
            {
                result.InvocationConfiguration.Error
                    .WriteLine($"dnsd: error: {file}: {error.Message.ReplaceLineEndings(" ")}");
                return ExitCode.Bad;
            }
        });
        return command;
    }
}
