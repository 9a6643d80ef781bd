using System.Net.Sockets;

namespace Dns.Client;

/// <summary>Messages for a validator from the server that a query was sent to.</summary>
public sealed class QueryMessages(QueryRequest request, CancellationToken cancellation) : IMessageSource
{
    private readonly Dictionary<(DomainName, RRType), byte[]?> _known = [];
    private readonly Dictionary<(DomainName, RRType), string> _causes = [];

    public byte[]? Query(DomainName name, RRType type)
    {
        if (!_known.TryGetValue((name, type), out byte[]? message))
            _known[(name, type)] = message = QueryServer(name, type);
        return message;
    }

    public string FindCause(DomainName name, RRType type) => _causes.GetValueOrDefault((name, type), "");

    private byte[]? QueryServer(DomainName name, RRType type)
    {
        QueryRequest own =
            request with { Name = name, Type = type, IsDnssec = true, IsCheckingDisabled = true, RequestsNsid = false };
        try
        {
            QueryReply reply = QueryClient.QueryAsync(own, cancellation).GetAwaiter().GetResult();
            if (reply.Fault is null) return reply.Message;
            _causes[(name, type)] = reply.Fault;
        }
        catch (Exception error) when (error is SocketException or TimeoutException or IOException)
        {
            _causes[(name, type)] = error.Message.ReplaceLineEndings(" ");
        }
        return null;
    }
}
