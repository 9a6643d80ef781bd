namespace Dns.Bench;

/// <summary>The messages that the phases work on, answered by the real responder.</summary>
internal static class SampleMessages
{
    internal const string Short = "www.example.com.";
    internal const string Long = "a1.b22.c333.d4444.e55555.example.com.";

    /// <summary>The zone that gives the responses.</summary>
    internal static Zone Zone { get; } = BenchZone.Small("example.com", $"""
        $TTL 300
        @ SOA ns hostmaster 1 3600 600 86400 300
        @ NS ns
        ns A 192.0.2.53
        www A 192.0.2.1
        www AAAA 2001:db8::1
        alias CNAME www
        {string.Join('\n', Enumerable.Range(1, 12).Select(i => $"twelve A 192.0.2.{i}"))}

        """);

    internal static Responder Responder { get; } = BenchZone.Responder(Zone);

    internal static byte[] Query { get; } = QueryText.Encode(Short, RRType.A);

    internal static byte[] QueryAaaa { get; } = QueryText.Encode(Short, RRType.AAAA);

    /// <summary>A response with one A.</summary>
    internal static byte[] OneAddress { get; } = Answer(Responder, Query);

    /// <summary>A response with a CNAME and the A of its target.</summary>
    internal static byte[] Alias { get; } = Answer(Responder, QueryText.Encode("alias.example.com.", RRType.A));

    /// <summary>A response with 12 A.</summary>
    internal static byte[] Twelve { get; } = Answer(Responder, QueryText.Encode("twelve.example.com.", RRType.A));

    /// <summary>The message with a name: "query", "aaaa", "one", "alias", "twelve".</summary>
    internal static byte[] ByName(string name) => name switch
    {
        "query" => Query,
        "aaaa" => QueryAaaa,
        "one" => OneAddress,
        "alias" => Alias,
        _ => Twelve,
    };

    /// <summary>The query with the question of a message.</summary>
    internal static byte[] QueryOf(byte[] message)
    {
        int end = MessageHeader.LengthOctets;
        while (message[end] != 0) end += message[end] + 1;
        byte[] query = message[..(end + 5)];
        Query.AsSpan(0, MessageHeader.LengthOctets).CopyTo(query);
        return query;
    }

    /// <summary>The whole answer to a query.</summary>
    internal static byte[] Answer(Responder responder, byte[] query)
    {
        byte[] message = new byte[4096];
        query.CopyTo(message, 0);
        QueryOrigin origin = new(BenchZone.Client(), DnsTransport.Udp, now: 0);
        int length = responder.Respond(message, query.Length, ref origin);
        return message[..length];
    }
}
