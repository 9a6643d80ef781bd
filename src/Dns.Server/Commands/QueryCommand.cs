using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net.Sockets;

namespace Dns.Server;

/// <summary><c>dnsd query NAME [TYPE] [@server[:port]]</c>: asks a server and prints the reply.</summary>
internal static class QueryCommand
{
    private static readonly Argument<string[]> Words = new("NAME [TYPE] [CLASS] [@SERVER[:PORT]]")
    {
        Description = "What to ask (type A, class IN) and whom: 127.0.0.1:5335, or port 53 of the server named.",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Option<bool> Tcp = new("--tcp") { Description = "Ask over TCP." };
    private static readonly Option<bool> Dnssec = new("--dnssec") { Description = "Ask for DNSSEC records too." };
    private static readonly Option<bool> Identity = new("--nsid") { Description = "Ask for the server's identifier." };
    private static readonly Option<bool> Short = new("--short") { Description = "Print the data of the answer only." };
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
            Words, Tcp, Dnssec, Identity, Short, Reverse, Timeout,
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

    private static void Check(CommandResult result)
    {
        if (QueryRequest.Parse(result.GetValue(Words) ?? [], result.GetValue(Reverse), out string problem) is null)
            result.AddError(problem);
    }

    private static async Task<int> AskAsync(ParseResult result, CancellationToken cancellation)
    {
        TextWriter errors = result.InvocationConfiguration.Error;
        QueryRequest request = QueryRequest.Parse(result.GetRequiredValue(Words), result.GetValue(Reverse), out _)! with
        {
            IsTcp = result.GetValue(Tcp),
            IsDnssec = result.GetValue(Dnssec),
            AsksIdentity = result.GetValue(Identity),
            Timeout = TimeSpan.FromSeconds(result.GetValue(Timeout)),
        };
        try
        {
            QueryReply reply = await QueryClient.AskAsync(request, cancellation);
            MessagePrinter printer = new(result.InvocationConfiguration.Output);
            bool isWhole = result.GetValue(Short) ? printer.PrintShort(reply) : printer.Print(reply);
            return isWhole ? ExitCode.Good : ExitCode.Bad;
        }
        catch (Exception error) when (error is SocketException or TimeoutException or IOException)
        {
            errors.WriteLine($"dnsd: error: {request.Server} port {request.Port}: {error.Message.ReplaceLineEndings(" ")}");
            return ExitCode.Bad;
        }
    }
}
