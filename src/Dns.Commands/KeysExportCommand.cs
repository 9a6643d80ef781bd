namespace Dns.Commands;

/// <summary><c>dnsd keys export NAME</c>: writes keys as BIND's files into another folder.</summary>
internal static class KeysExportCommand
{
    public static Command Create()
    {
        KeysArguments arguments = new();
        Option<string> output =
            new("--output", "-o") { Description = "The folder to write to.", HelpName = "DIR", Required = true };
        Option<ushort?> tag =
            new("--tag") { Description = "The key with this tag; without it all keys of the zone.", HelpName = "TAG" };
        Command command = new("export", "Writes the keys of a zone as key files of BIND, for it, Knot DNS and others.");
        arguments.AddTo(command);
        command.Add(output);
        command.Add(tag);
        command.SetAction(result => Export(arguments, result, result.GetRequiredValue(output), result.GetValue(tag)));
        return command;
    }

    private static int Export(KeysArguments arguments, ParseResult result, string output, ushort? tag)
    {
        using KeyFolder? folder = arguments.Read(result);
        if (folder is null) return ExitCode.Bad;
        KeyFile[] keys = [.. folder.Keys.Where(key => tag is null || key.Public.Tag == tag)];
        if (keys.Length == 0)
        {
            string wanted = tag is null ? "" : $" with the tag {tag}";
            result.InvocationConfiguration.Error.WriteLine(
                $"dnsd: error: {folder.Path}: found no key of {folder.Zone}{wanted}, expected one");
            return ExitCode.Bad;
        }
        int exitCode = ExitCode.Good;
        foreach (KeyFile key in keys) exitCode = Math.Max(exitCode, KeysImportCommand.Write(output, key, result));
        return exitCode;
    }
}
