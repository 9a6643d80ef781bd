namespace Dns.Management.Explanations;

/// <summary><c>dnsd why NAME TYPE</c>: the responder makes the answer, and its steps are shown.</summary>
/// <param name="features">They explain what they answer; null = none.</param>
public class WhyQuery(LiveResponder responder, IFeatureStatus? features = null)
{
    /// <summary>The maximum length of an argument in characters: a name with every octet escaped.</summary>
    public const int MaxArgument = 1020;

    private const int ClientPort = 53_000;
    private const string DefaultClient = "127.0.0.1";

    /// <summary>Answers the command: name, type, and the client's address.</summary>
    public ControlReply Explain(ControlCall call)
    {
        Explanation explanation = Explain(call.Argument(0), call.Argument(1), call.Argument(2), call.View);
        return call.Reply(explanation, ControlJson.Default.Explanation, explanation.Write);
    }

    /// <summary>Explains the answer to a question. Without a type, A; without a client, 127.0.0.1.</summary>
    /// <exception cref="ControlException">One of them is invalid.</exception>
    /// <param name="viewName">The view; null = that of the client.</param>
    public Explanation Explain(string? nameText, string? typeText, string? clientText, string? viewName = null)
    {
        if (nameText?.Length > MaxArgument || typeText?.Length > MaxArgument || clientText?.Length > MaxArgument)
            throw new ControlException($"an argument is longer than {MaxArgument} characters");
        if (nameText is null || !ZonesSetting.TryParseName(nameText, out DomainName? name))
            throw new ControlException($"\"{nameText}\" is not a domain name");
        typeText ??= "A";
        if (!RRTypeText.TryParse(Encoding.UTF8.GetBytes(typeText), out RRType type))
            throw new ControlException($"\"{typeText}\" is not a type");
        if (!AddressText.TryParse(clientText ?? DefaultClient, out IPAddress? address))
            throw new ControlException($"\"{clientText}\" is not an address");
        ClientAddress client = ClientAddress.From(new IPEndPoint(address, ClientPort));
        // Separate counters: these queries are not a client's.
        ViewSet views = responder.Current.Views;
        View? view = viewName is null ? null : ViewNames.Find(views, viewName);
        Responder apart = responder.Current.Apart(view);
        ExplanationTrace trace = new(name, type, client, apart.Options, features?.Explained);
        (string outcome, string[] message) =
            Ask(apart, new QueryRequest(name, type, RRClass.IN, "", 0), in client, trace);
        string? hint = clientText is null && trace.DependsOnClient
            ? $"the answer depends on the client: {DefaultClient} is assumed where none is given" : null;
        return new Explanation(
            $"{name} {RRTypeText.Format(type)}", address.ToString(), trace.Steps, outcome, message, hint)
        {
            View = (view ?? apart.ViewOf(in client, DnsTransport.Udp)).Name,
        };
    }

    /// <summary>The reply over UDP.</summary>
    private (string Outcome, string[] Message) Ask(
        Responder apart, QueryRequest request, in ClientAddress client, ExplanationTrace trace)
    {
        byte[] room = new byte[Math.Max(apart.Options.MaxUdpPayload, ResponderOptions.MinUdpPayload)];
        byte[] query = request.ToMessage(id: 0);
        query.CopyTo(room, 0);
        QueryOrigin origin = new(in client, DnsTransport.Udp, now: 0);
        ExplainingSource source = new(features?.Explained);
        int length = Respond(apart, room, query.Length, ref origin, ref source, new TraceTo(trace));
        if (source.WouldQuery) return ("the upstreams would be queried, and their answer sent", []);
        if (length <= 0) return ("nothing would be sent", []);
        StringWriter text = new();
        new MessagePrinter(text).Print(room[..length]);
        return ("what would be sent over UDP:", text.ToString().TrimEnd().ReplaceLineEndings("\n").Split('\n'));
    }

    /// <summary>Answers as the server does, with its steps.</summary>
    protected virtual int Respond(Responder apart, Span<byte> room, int queryOctets, ref QueryOrigin origin,
        ref ExplainingSource source, TraceTo trace) =>
        apart.Respond(room, queryOctets, ref origin, null, ref source,
            new AnswerSteps<NoSteps, NoSteps, TraceTo>(default, default, trace));
}
