namespace Dns.Commands;

/// <summary><c>dnsd keys import NAME FILE.private</c>: imports a key from files of BIND.</summary>
internal static class KeysImportCommand
{
    public static Command Create()
    {
        KeysArguments arguments = new();
        Argument<string> file = new("FILE") { Description = "Kname.+algorithm+tag.private, with its .key beside it." };
        Command command = new("import", "Takes a key from BIND's key files, with its times.");
        arguments.AddTo(command);
        command.Add(file);
        command.SetAction(result => Import(arguments, result, result.GetRequiredValue(file)));
        return command;
    }

    private static int Import(KeysArguments arguments, ParseResult result, string file)
    {
        TextWriter errors = result.InvocationConfiguration.Error;
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        if (!KeyFile.TryReadUsed(file, now, out KeyFile? key, out TextFault? fault))
            return Fail(errors, fault.ToString());
        using (key)
        {
            DomainName zone = arguments.Zone(result);
            if (!key.Zone.Equals(zone))
                return Fail(errors, $"{file}: found a key of {key.Zone}, expected one of {zone}");
            if (key.Key is null)
                return Fail(errors, $"{file}: found no private key, expected {key.BaseName}{KeyFile.PrivateExtension}");
            using KeyFolder? folder = arguments.Read(result);
            if (folder is null) return ExitCode.Bad;
            if (folder.Keys.FirstOrDefault(other => other.BaseName == key.BaseName) is { } known &&
                !known.Public.Equals(key.Public))
                return Fail(errors, $"{folder.Path}: found another key with the tag {key.Public.Tag}, expected none");
            int code = Write(folder.Path, key, result);
            if (code == ExitCode.Good) arguments.NoteOwner(result, folder.Path);
            if (code == ExitCode.Good && key.IsDeleted(now))
                errors.WriteLine($"dnsd: warning: {key.BaseName}: its Delete time is past, so it is not published: "
                    + "if the parent still has its DS record, take the line \"Delete:\" out of "
                    + $"{key.BaseName}{KeyFile.PrivateExtension}, and import it again");
            return code;
        }
    }

    /// <summary>Writes the files of a key, and prints their name.</summary>
    internal static int Write(string folder, KeyFile key, ParseResult result)
    {
        try
        {
            KeyFolder.Write(folder, key);
            result.InvocationConfiguration.Output.WriteLine(Path.Combine(folder, key.BaseName));
            return ExitCode.Good;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return Fail(result.InvocationConfiguration.Error, $"{folder}: cannot write the key: {failure.Message}");
        }
    }

    private static int Fail(TextWriter errors, string message)
    {
        errors.WriteLine("dnsd: error: " + message);
        return ExitCode.Bad;
    }
}
