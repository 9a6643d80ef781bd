using System.CommandLine.Parsing;

namespace Dns.Commands;

/// <summary>A command about the keys of a zone, carried out by the running server or on a folder.</summary>
internal sealed class KeysStateCommand : Command
{
    /// <summary>How long other commands of this kind may take.</summary>
    private static readonly TimeSpan OtherCommands = TimeSpan.FromSeconds(5);

    private readonly KeysArguments _keys = new();
    private readonly Option<string?> _socket = new("--socket")
    {
        Description = "The server's control socket. Without it and --keys: the server that runs here.",
        HelpName = "PATH",
    };

    private readonly Option<string?> _view = ControlCommand.ViewOption();
    private readonly Option<bool> _json = new("--json") { Description = "Print JSON." };
    private readonly IReadOnlyList<Func<ParseResult, string?>> _arguments;
    private readonly Func<KeyReplies, ControlCall, ControlReply> _onFolder;

    /// <param name="name">The word on the command line, and after <c>keys</c> in the control command.</param>
    /// <param name="arguments">Reads the arguments after the zone.</param>
    /// <param name="onFolder">Carries it out on a folder.</param>
    public KeysStateCommand(
        string name, string description, IReadOnlyList<Func<ParseResult, string?>> arguments,
        Func<KeyReplies, ControlCall, ControlReply> onFolder) : base(name, description)
    {
        (_arguments, _onFolder) = (arguments, onFolder);
        _keys.AddTo(this);
        Add(_socket);
        Add(_view);
        Add(_json);
        SetAction(RunAsync);
    }

    /// <summary>Formats the answer; null = it is written to the output.</summary>
    public Action<ParseResult, string>? Write { get; init; }

    private async Task<int> RunAsync(ParseResult result, CancellationToken cancellation)
    {
        TextWriter errors = result.InvocationConfiguration.Error;
        try
        {
            ControlRequest request = new("keys " + Name)
            {
                Arguments = [_keys.Zone(result).ToString(), .. _arguments.Select(read => read(result))],
                WantsData = result.GetValue(_json),
                View = result.GetValue(_view),
            };
            ControlReply? reply = await SendToServerAsync(result, request, cancellation);
            if (reply is null)
            {
                if (_keys.Folder(result) is not { } folder) return ExitCode.Bad;
                reply = UseFolder(result, folder, new ControlCall(request, cancellation));
            }
            if (reply.Error is not null) throw new ControlException(reply.Error);
            if (reply.Data is { } data) result.InvocationConfiguration.Output.WriteLine(ControlCommand.TextOf(data));
            if (Write is null || reply.Text is null) result.InvocationConfiguration.Output.Write(reply.Text);
            else Write(result, reply.Text);
            return ExitCode.Good;
        }
        catch (Exception error) when (error is ControlException or OperationException or IOException)
        {
            foreach (string line in error.Message.Split('\n')) errors.WriteLine("dnsd: error: " + line);
            return ExitCode.Bad;
        }
    }

    /// <summary>Carries it out on a folder; servers are kept out of its state directory during a change.</summary>
    /// <exception cref="ControlException">A server uses it.</exception>
    private ControlReply UseFolder(ParseResult result, string folder, ControlCall call)
    {
        if (call.View is { } view and not View.DefaultName)
            throw new ControlException($"there is no view \"{view}\": expected {View.DefaultName}");
        bool isChange = Name is not ("list" or "ds");
        List<DirectoryLock> held = [];
        try
        {
            // Of the settings it is known to be one.
            if (isChange)
                foreach (var (index, state) in StatesOf(folder).Index())
                    if ((index == 0 && !_keys.IsGiven(result)
                        || File.Exists(Path.Combine(state, DirectoryLock.FileName))) && TakeState(state) is { } taken)
                        held.Add(taken);
            StoredKeyOperations operations = new(
                folder,
                zone => KeysStateCommands.PolicyOf(zone, _keys.Settings(result), isListing: Name == "list"),
                TimeProvider.System);
            ControlReply reply = _onFolder(new KeyReplies(operations), call);
            if (reply.Error is not null || !isChange || _keys.IsGiven(result)) return reply;
            result.InvocationConfiguration.Error.WriteLine(
                $"dnsd: note: no server was found, so that files were changed: {folder}");
            _keys.NoteOwner(result, folder);
            return reply;
        }
        finally
        {
            held.ForEach(one => one.Dispose());
        }
    }

    /// <summary>
    /// The directories that may be the state directory of the folder's keys, that of the path as given first: the
    /// folder may be a symlink to another volume, or to the folder of a server.
    /// </summary>
    private static IEnumerable<string> StatesOf(string folder)
    {
        List<string> states = [];
        string? path = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        while (path is not null)
        {
            string state = Path.GetDirectoryName(path) ?? path;
            states.Add(state);
            // A relative symlink begins where it really is.
            if (OperatingSystem.IsLinux() && FileCalls.RealPathOf(state) is { } real)
                path = Path.Combine(real, Path.GetFileName(path));
            // A cycle of symlinks does not exist as a directory.
            path = Directory.Exists(path)
                ? Directory.ResolveLinkTarget(path, returnFinalTarget: false)?.FullName : null;
        }
        // A lock that is held already would look like that of a server.
        return states.DistinctBy(state =>
            OperatingSystem.IsLinux() && FileCalls.FactsOf(state, follows: true) is { } facts
                ? facts.Identity : (object)state);
    }

    /// <summary>Keeps servers out of a state directory.</summary>
    /// <exception cref="ControlException">One uses it.</exception>
    private static DirectoryLock? TakeState(string directory)
    {
        DirectoryLock? taken = DirectoryLock.TryTake(directory, out bool isOfAnother, out _, OtherCommands);
        if (!isOfAnother) return taken;
        throw new ControlException($"{directory}: a server uses this state directory, but was not found: "
            + "expected --socket PATH, that of its line D601, or the server stopped before");
    }

    /// <summary>Asks the server; null if a folder is given or no server runs: files are used then.</summary>
    private async Task<ControlReply?> SendToServerAsync(ParseResult result, ControlRequest request,
        CancellationToken cancellation)
    {
        string? path = result.GetValue(_socket) ?? FindSocket(result);
        if (path is null) return null;
        path = ControlCommand.SocketPath(path, null, result.InvocationConfiguration.Error);
        await using Stream stream = await ControlClient.ConnectAsync(path, cancellation);
        return await ControlClient.SendAsync(path, stream, request, cancellation);
    }

    /// <summary>The control socket of the server whose keys they are; null if a folder is given or none runs.</summary>
    private string? FindSocket(ParseResult result)
    {
        if (_keys.IsGiven(result)) return null;
        if (_keys.Config(result) is null)
            return ControlCommand.FindConfigured(result.InvocationConfiguration.Error)
                ?? (ControlClient.FindServers() is [] ? null : ControlClient.FindServer());
        try
        {
            string path = ControlCommand.SocketPath(_keys.Settings(result), result.InvocationConfiguration.Error);
            return ControlClient.IsRunning(path) ? path : null;
        }
        catch (ControlException)
        {
            // The keys of a stopped server are on disk.
            return null;
        }
    }
}
