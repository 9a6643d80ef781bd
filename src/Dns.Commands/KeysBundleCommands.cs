namespace Dns.Commands;

/// <summary>
/// <c>dnsd keys request|sign-request|load-bundle</c>: an offline KSK. The running server carries out the first and the
/// last, or this program on the files of a folder; the second runs where the KSK is.
/// </summary>
internal static class KeysBundleCommands
{
    private const string ExpectedTime = "a time such as now, 365d, 2027-01-01 or 2027-01-01T12:00:00Z";

    public static IEnumerable<Command> Create() => [CreateRequest(), CreateSign(), CreateLoad()];

    private static Command CreateRequest()
    {
        Option<string> until = new("--until")
        {
            Description = "Until when: a date, a time, or how long from now, such as 365d.", HelpName = "TIME",
            Required = true,
        };
        Option<string?> from = new("--from")
        {
            Description = "From when on; \"now\" replaces the loaded key sets. Without it from the last one that is " +
                "loaded.",
            HelpName = "TIME",
        };
        Option<bool> newZsk = new("--new-zsk")
        {
            Description = "Replace the ZSK from now on, with keys that are made now: for one that others may have.",
        };
        Option<string> output = Output("The request");
        foreach (Option option in (Option[])[until, from])
            option.Validators.Add(result =>
            {
                if (result.Tokens is [var token] &&
                    !KeyTimeArgument.TryRead(token.Value, DateTimeOffset.UnixEpoch, out _))
                    result.AddError($"{option.Name} {token.Value}: expected {ExpectedTime}");
            });
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        return new KeysStateCommand(
            "request", "Asks for the coming key sets of a zone whose KSK is kept elsewhere; makes the ZSKs for them.",
            [
                result => result.GetValue(from) is { } text ? Text(text, now) : null,
                result => Text(result.GetRequiredValue(until), now),
                result => result.GetValue(newZsk) ? "true" : null,
            ],
            static (replies, call) => replies.Request(call))
        {
            Options = { from, until, newZsk, output },
            Write = (result, text) =>
            {
                Write(result, result.GetRequiredValue(output), text);
                if (KeySetText.TryRead(text, isBundle: false, out KeySets? request, out _))
                    KeySetSummary.WriteRequest(result.InvocationConfiguration.Error, request);
            },
        };
    }

    private static Command CreateLoad()
    {
        Argument<string> file = new("FILE") { Description = "The bundle, as \"dnsd keys sign-request\" makes it." };
        Option<bool> force = new("--force")
        {
            Description = "Take it although its signatures end before those that are loaded, which it replaces.",
        };
        return new KeysStateCommand(
            "load-bundle",
            "Takes the key sets and signatures of a KSK that is kept elsewhere: they are checked, and served in " +
                "their time.",
            [result => Read(result.GetRequiredValue(file)), result => result.GetValue(force) ? "true" : null],
            static (replies, call) => replies.LoadBundle(call))
        {
            file, force,
        };
    }

    private static Command CreateSign()
    {
        Argument<string> file = new("FILE") { Description = "The request, as \"dnsd keys request\" makes it." };
        Option<string> keys = new("--keys", "-k")
        {
            Description = "The folder with the key files of the KSKs. All of the zone that are there sign.",
            HelpName = "DIR",
            Required = true,
        };
        Option<ushort[]> without = new("--without")
        {
            Description =
                "The tag of a KSK that is to be left out: its DS record is gone from the parent and from caches.",
            HelpName = "TAG",
        };
        Option<string> output = Output("The bundle");
        Command command = new("sign-request",
            "Signs a request where the KSK is kept, without a server. Says what it signs.")
        {
            file, keys, without, output,
        };
        command.SetAction(result => Sign(
            result, result.GetRequiredValue(file), result.GetRequiredValue(keys), result.GetValue(without) ?? [],
            result.GetRequiredValue(output)));
        return command;
    }

    private static int Sign(ParseResult result, string path, string keys, ushort[] without, string output)
    {
        TextWriter errors = result.InvocationConfiguration.Error;
        try
        {
            if (!KeySetText.TryRead(Read(path), isBundle: false, out KeySets? request, out TextFault? fault))
                throw new ControlException($"{path}:{fault}");
            using KeyFolder folder = KeyFolder.Read(keys, request.Zone);
            if (folder.Errors.Count > 0) throw new ControlException(string.Join('\n', folder.Errors));
            KeyFile[] ksks =
            [
                .. folder.Keys.Where(key => key is { Key: not null, Public: { IsSep: true, IsRevoked: false } })
                    .Where(key => !without.Contains(key.Public.Tag)),
            ];
            if (!KeySetSigning.TrySign(request, ksks, out KeySets bundle, out KeyRequestFault? refusal))
                throw new ControlException($"{path}: {refusal}");
            Write(result, output, KeySetText.Format(bundle));
            KeySetSummary.WriteBundle(errors, request, bundle);
            return ExitCode.Good;
        }
        catch (Exception error) when (error is ControlException or IOException)
        {
            foreach (string line in error.Message.Split('\n')) errors.WriteLine("dnsd: error: " + line);
            return ExitCode.Bad;
        }
    }

    private static string Text(string text, DateTimeOffset now) =>
        KeyTimeArgument.TryRead(text, now, out DateTimeOffset time)
            ? time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture)
            : throw new ControlException($"\"{text}\": expected {ExpectedTime}");

    private static Option<string> Output(string what) => new("--output", "-o")
    {
        Description = $"{what}; - is standard output.", HelpName = "FILE", DefaultValueFactory = _ => "-",
    };

    private static string Read(string path)
    {
        if (Directory.Exists(path)) throw new ControlException($"{path}: it is a directory: expected a file");
        if (!File.Exists(path)) throw new ControlException($"{path}: the file does not exist");
        try
        {
            return new FileInfo(path).Length <= KeySetText.MaxOctets
                ? File.ReadAllText(path)
                : throw new ControlException($"{path}: expected at most {KeySetText.MaxOctets} octets");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ControlException($"{path}: {error.Message}");
        }
    }

    private static void Write(ParseResult result, string path, string text)
    {
        if (path == "-")
        {
            result.InvocationConfiguration.Output.Write(text);
            return;
        }
        try
        {
            File.WriteAllText(path, text);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ControlException($"{path}: {error.Message}");
        }
    }
}
