using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Dns.Server;

/// <summary><c>dnsd query NAME [TYPE...] [@SERVER]</c>: asks a server and prints the reply.</summary>
internal static class QueryCommand
{
    private static readonly Argument<string> Name = new("NAME")
    {
        Description = "What to ask about.",
    };

    private static readonly Argument<string[]> Words = new("TYPE|CLASS|@SERVER|+OPTION")
    {
        Description = "Types (A without one), a class (IN without one), the server as @SERVER, @SERVER:PORT or @SERVER#PORT (without it "
            + "the server that runs here, else 127.0.0.1), and +short, +dnssec, +tcp, +nsid as in dig. In any order, before NAME too.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private static readonly Option<int?> Port = new("-p", "--port")
    {
        Description = "The port of the server; 53 without it.",
        HelpName = "PORT",
        Validators = { CheckPort },
    };

    private static readonly Option<bool> Tcp = new("--tcp") { Description = "Ask over TCP." };
    private static readonly Option<bool> Dnssec = new("--dnssec") { Description = "Ask for DNSSEC records too." };
    private static readonly Option<bool> Identity = new("--nsid") { Description = "Ask for the server's identifier." };
    private static readonly Option<bool> Short = new("--short") { Description = "Print the data of the answer only." };
    private static readonly Option<bool> Json = new("--json") { Description = "Print each reply as JSON (RFC 8427)." };
    private static readonly Option<bool> Reverse = new("-x", "--reverse") { Description = "NAME is an address: ask for its name." };

    private static readonly Option<double> Timeout = new("--timeout")
    {
        Description = "How long to wait for each of three tries.",
        HelpName = "SECONDS",
        DefaultValueFactory = _ => 3,
        Validators = { CheckTimeout },
    };

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        Command command = new("query", "Asks a server and prints the reply: 0 for every reply, 1 for none.")
        {
            Name, Words, Port, Tcp, Dnssec, Identity, Short, Json, Reverse, Timeout,
        };
        command.Validators.Add(Check);
        command.SetAction((result, cancellation) => AskAsync(result, cancellation));
        return command;
    }

    private static void CheckTimeout(OptionResult option)
    {
        // Asking for the value would throw where it is no number.
        foreach (Token token in option.Tokens)
            if (!double.TryParse(token.Value, CultureInfo.InvariantCulture, out double seconds) || seconds is not (> 0 and <= 3600))
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
        // What is missing altogether is said elsewhere.
        if (result.GetResult(Name) is not { Tokens.Count: > 0 }) return;
        bool hasPort = result.GetResult(Port) is { Tokens.Count: > 0 };
        if (QueryWords.Parse(WordsOf(result), result.GetValue(Reverse), out string problem) is not { } words) result.AddError(problem);
        else if (words.Port is not null && hasPort) result.AddError("the port is given twice, behind @SERVER and by an option");
        else if ((words.IsShort || result.GetValue(Short)) && result.GetValue(Json))
            result.AddError("expected --short or --json, not both");
    }

    private static string[] WordsOf(SymbolResult result) =>
    [
        .. new[] { result.GetResult(Name), result.GetResult(Words) }
            .SelectMany(found => found?.Tokens ?? []).Select(token => token.Value),
    ];

    private static async Task<int> AskAsync(ParseResult result, CancellationToken cancellation)
    {
        TextWriter output = result.InvocationConfiguration.Output, errors = result.InvocationConfiguration.Error;
        QueryWords words = QueryWords.Parse(WordsOf(result.CommandResult), result.GetValue(Reverse), out _)!;
        string server = words.Server ?? "";
        int port = words.Port ?? result.GetValue(Port) ?? ListenSetting.DefaultPort;
        try
        {
            if (words.Server is null && result.GetValue(Port) is null)
            {
                IPEndPoint found = await RunningServer.FindAsync(cancellation);
                (server, port) = (found.Address.ToString(), found.Port);
            }
            else if (words.Server is null) server = IPAddress.Loopback.ToString();
            bool isWhole = true;
            foreach (Protocol.RRType type in words.Types)
            {
                QueryRequest request = new(words.Name, type, words.Class, server, port)
                {
                    IsTcp = words.IsTcp || result.GetValue(Tcp),
                    IsDnssec = words.IsDnssec || result.GetValue(Dnssec),
                    AsksIdentity = words.AsksIdentity || result.GetValue(Identity),
                    Timeout = TimeSpan.FromSeconds(result.GetValue(Timeout)),
                };
                QueryReply reply = await QueryClient.AskAsync(request, cancellation);
                MessagePrinter printer = new(output);
                isWhole &= result.GetValue(Json) ? MessageJson.Write(request, reply, output)
                    : words.IsShort || result.GetValue(Short) ? printer.PrintShort(reply) : printer.Print(reply);
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
