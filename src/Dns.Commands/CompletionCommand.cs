namespace Dns.Commands;

/// <summary><c>dnsd completion SHELL</c>: prints the completion script of a shell.</summary>
internal static class CompletionCommand
{
    public static Command Create()
    {
        Argument<string> shell = new("SHELL") { Description = "bash, zsh, fish or powershell." };
        shell.AcceptOnlyFromAmong(CompletionScript.Shells);
        Command command = new("completion", "Prints the completion script of a shell.") { shell };
        command.SetAction(result => result.InvocationConfiguration.Output.Write(
            CompletionScript.Of(result.GetRequiredValue(shell), result.RootCommandResult.Command)));
        return command;
    }
}
