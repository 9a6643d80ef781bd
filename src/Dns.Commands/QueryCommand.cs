using System.CommandLine.Parsing;
using System.Net.Sockets;

namespace Dns.Commands;

/// <summary><c>dnsd query NAME [TYPE...] [@SERVER]</c>: queries a server and prints the reply.</summary>
internal static class QueryCommand
{
    private static readonly Argument<string> Name = new("NAME")
    {
        Description = "The name to query.",
    };

    private static readonly Argument<string[]> Words = new("TYPE|CLASS|@SERVER|+OPTION")
    {
        Description =
            "Types (A without one), a class (IN without one), the server as @SERVER, @SERVER:PORT or @SERVER#PORT " +
                "(without it "
            +
            "the server that runs here, else 127.0.0.1), and +short, +dnssec, +tcp, +nsid as in dig. In any order, " +
            "before NAME too.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private static readonly Option<int?> Port = new("-p", "--port")
    {
        Description = "The port of the server. Default 53.",
        HelpName = "PORT",
        Validators = { CheckPort },
    };

    private static readonly Option<string?> Key = new("-y")
    {
        Description =
            "Sign the query and verify the reply with this key; -k FILE keeps the secret out of the list of processes.",
        HelpName = "[HMAC:]NAME:SECRET",
    };

    private static readonly Option<string?> KeyFile = new("-k", "--key")
    {
        Description = "The same with the key of a file that \"dnsd tsig generate\" has printed, as json or bind.",
        HelpName = "FILE",
    };

    private static readonly Option<bool> Tcp = new("--tcp") { Description = "Ask over TCP." };
    private static readonly Option<bool> Dnssec = new("--dnssec") { Description = "Ask for DNSSEC records too." };

    private static readonly Option<string?> Anchor = new("--anchor")
    {
        Description =
            "With +dnssec: validate the reply with the DS or DNSKEY records of this file, and say where the chain " +
                "breaks.",
        HelpName = "FILE",
    };

    private static readonly Option<bool> Identity = new("--nsid") { Description = "Request the server identifier." };
    private static readonly Option<bool> Short = new("--short") { Description = "Print the data of the answer only." };
    private static readonly Option<bool> Json = new("--json") { Description = "Print each reply as JSON (RFC 8427)." };
    private static readonly Option<bool> Reverse =
        new("-x", "--reverse") { Description = "NAME is an address: query its PTR record." };

    private static readonly Option<double> Timeout = new("--timeout")
    {
        Description = "How long to wait for each of three tries.",
        HelpName = "SECONDS",
        DefaultValueFactory = _ => 3,
        Validators = { CheckTimeout },
    };

    public static Command Create()
    {
        Command command = new("query", "Queries a server and prints the reply: exit code 0 for any reply, 1 for none.")
        {
            Name, Words, Port, Key, KeyFile, Tcp, Dnssec, Anchor, Identity, Short, Json, Reverse, Timeout,
        };
        command.Validators.Add(Check);
        command.SetAction((result, cancellation) => RunAsync(result, cancellation));
        return command;
    }

    private static void CheckTimeout(OptionResult option)
    {
        // Reading the value would throw if it is not a number.
        foreach (Token token in option.Tokens)
            if (!double.TryParse(token.Value, CultureInfo.InvariantCulture, out double seconds) ||
                seconds is not (> 0 and <= 3600))
                option.AddError("--timeout: expected seconds, above 0 and up to 3600");
    }

    private static void CheckPort(OptionResult option)
    {
        foreach (Token token in option.Tokens)
            if (!int.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int port)
                || port is < 1 or > IPEndPoint.MaxPort)
                option.AddError($"{option.IdentifierToken?.Value}: expected a port, 1 to {IPEndPoint.MaxPort}");
    }

    private static void Check(CommandResult result)
    {
        // A missing value is reported elsewhere.
        if (result.GetResult(Name) is not { Tokens.Count: > 0 }) return;
        bool hasPort = result.GetResult(Port) is { Tokens.Count: > 0 };
        if (QueryArguments.Parse(WordsOf(result), result.GetValue(Reverse), out string problem) is not { } words)
            result.AddError(problem);
        else if (words.Port is not null && hasPort)
            result.AddError("the port is given twice: expected it behind @SERVER or as an option");
        else if (result.GetValue(Key) is not null && result.GetValue(KeyFile) is not null)
            result.AddError("expected -y or --key, not both");
        else if (result.GetValue(Key) is { } key && QueryKey.Parse(key, out problem) is null)
            result.AddError($"-y: {problem}");
        else if ((words.IsShort || result.GetValue(Short)) && result.GetValue(Json))
            result.AddError("expected --short or --json, not both");
    }

    /// <summary>
    /// Reads the files of the options. Once for all types, and not when the command line is checked: a pipe can be read
    /// only once, and without its key the query would not be signed.
    /// </summary>
    private static bool TryReadFiles(ParseResult result, out TsigKey? key, out IReadOnlyList<TrustAnchor>? anchors)
    {
        (key, anchors) = (null, null);
        string problem = "";
        if (result.GetValue(Key) is { } text) key = QueryKey.Parse(text, out _);
        if (result.GetValue(KeyFile) is { } file && (key = QueryKey.Read(file, out problem)) is null)
            problem = $"--key: {problem}";
        else if (result.GetValue(Anchor) is { } path
            && !TrustAnchorText.TryRead(path, out anchors, out TextFault? fault))
            problem = $"--anchor: {fault}";
        else return true;
        result.InvocationConfiguration.Error.WriteLine("dnsd: error: " + problem);
        return false;
    }

    private static string[] WordsOf(SymbolResult result) =>
    [
        .. new[] { result.GetResult(Name), result.GetResult(Words) }
            .SelectMany(found => found?.Tokens ?? []).Select(token => token.Value),
    ];

    /// <summary>Prints each message of a transfer on arrival.</summary>
    private static async Task<bool> TransferAsync(QueryRequest request, ParseResult result, bool isShort,
        CancellationToken cancellation)
    {
        TextWriter output = result.InvocationConfiguration.Output;
        MessagePrinter printer = new(output);
        bool isJson = result.GetValue(Json);
        QueryTransfer transfer = await QueryClient.TransferAsync(request, reply =>
        {
            if (isJson) MessageJson.Write(request, reply, output);
            else if (isShort) printer.PrintShort(reply);
            else printer.PrintTransferred(reply);
        }, cancellation);
        if (!isJson && !isShort) printer.PrintEnd(transfer);
        if (transfer.Fault is { } fault) result.InvocationConfiguration.Error.WriteLine("dnsd: error: " + fault);
        return transfer.Fault is null;
    }

    /// <summary>Prints the signers of the reply; with anchors also the chain of trust, false if it is broken.</summary>
    private static async Task<bool> ExplainAsync(QueryRequest request, QueryReply reply,
        IReadOnlyList<TrustAnchor>? anchors, TextWriter output, CancellationToken cancellation)
    {
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        ChainPrinter printer = new(output, now);
        if (anchors is null)
        {
            printer.Print(reply.Message);
            return true;
        }
        AnswerValidator validator = new(new QueryMessages(request, cancellation), anchors, now);
        // It waits for replies, and this may be the thread that receives them.
        return printer.Print(
            await Task.Run(() => validator.Validate(request.Name, request.Type), cancellation));
    }

    private static async Task<int> RunAsync(ParseResult result, CancellationToken cancellation)
    {
        TextWriter output = result.InvocationConfiguration.Output, errors = result.InvocationConfiguration.Error;
        QueryArguments words = QueryArguments.Parse(WordsOf(result.CommandResult), result.GetValue(Reverse), out _)!;
        string server = words.Server ?? "";
        int port = words.Port ?? result.GetValue(Port) ?? ListenSetting.DefaultPort;
        if (!TryReadFiles(result, out TsigKey? key, out IReadOnlyList<TrustAnchor>? anchors)) return ExitCode.Usage;
        try
        {
            if (words.Server is null && result.GetValue(Port) is null)
            {
                IPEndPoint found = await RunningServer.FindAsync(cancellation);
                (server, port) = (found.Address.ToString(), found.Port);
            }
            else if (words.Server is null) server = IPAddress.Loopback.ToString();
            bool isWhole = true;
            foreach (RRType type in words.Types)
            {
                QueryRequest request = new(words.Name, type, words.Class, server, port)
                {
                    IsTcp = words.IsTcp || result.GetValue(Tcp),
                    IsDnssec = words.IsDnssec || result.GetValue(Dnssec) || anchors is not null,
                    IsCheckingDisabled = anchors is not null,
                    Key = key,
                    FromSerial = words.FromSerial,
                    RequestsNsid = words.RequestsNsid || result.GetValue(Identity),
                    Timeout = TimeSpan.FromSeconds(result.GetValue(Timeout)),
                };
                MessagePrinter printer = new(output);
                if (request.IsTransfer)
                {
                    isWhole &= await TransferAsync(request, result, words.IsShort || result.GetValue(Short),
                        cancellation);
                    continue;
                }
                QueryReply reply = await QueryClient.QueryAsync(request, cancellation);
                if (reply.Fault is { } fault) errors.WriteLine("dnsd: error: " + fault);
                isWhole &= reply.Fault is null;
                isWhole &= result.GetValue(Json) ? MessageJson.Write(request, reply, output)
                    : words.IsShort || result.GetValue(Short) ? printer.PrintShort(reply) : printer.Print(reply);
                bool isExplained = !(result.GetValue(Json) || words.IsShort || result.GetValue(Short));
                if (isExplained && request.IsDnssec)
                    isWhole &= await ExplainAsync(request, reply, anchors, output, cancellation);
            }
            return isWhole ? ExitCode.Good : ExitCode.Bad;
        }
        catch (ControlException error)
        {
            errors.WriteLine("dnsd: error: " + error.Message);
        }
        catch (Exception error) when (error is SocketException or TimeoutException or IOException)
        {
            string hint = words.Server is null && port == ListenSetting.DefaultPort
                ? " (no other server was found on this machine; name one with @SERVER)" : "";
            errors.WriteLine($"dnsd: error: {server} port {port}: {error.Message.ReplaceLineEndings(" ")}{hint}");
        }
        return ExitCode.Bad;
    }
}
