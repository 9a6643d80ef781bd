namespace Dns.Answering.Steps;

/// <summary>What a policy sees of a query.</summary>
public readonly ref struct PolicyQuery
{
    /// <summary>The name to decide about, in lower case.</summary>
    public readonly ref readonly LookupName Name;

    /// <summary>The client.</summary>
    public readonly ref readonly ClientAddress Client;

    internal PolicyQuery(scoped ref QueryContext context, ref readonly LookupName name, bool isForwarded)
    {
        Name = ref name;
        Client = ref context.Client;
        (View, Transport, IsForwarded) = (context.View, context.Transport, isForwarded);
        Type = context.Query.Type;
        MayRecurse = context.Query.Offered != 0;
        DnssecOk = context.Query.Edns.DnssecOk;
        RecursionDesired = (context.Query.Flags & MessageHeader.RecursionDesired) != 0;
    }

    /// <summary>The view of the query.</summary>
    public View View { get; }

    /// <summary>The transport.</summary>
    public DnsTransport Transport { get; }

    /// <summary>QTYPE: a type of data, or ANY.</summary>
    public RRType Type { get; }

    /// <summary>Whether a forwarded zone holds the name; else a served zone does, or none.</summary>
    public bool IsForwarded { get; }

    /// <summary>Whether the client may use recursion.</summary>
    public bool MayRecurse { get; }

    /// <summary>RD: whether recursion is requested.</summary>
    public bool RecursionDesired { get; }

    /// <summary>DO: whether signatures are requested.</summary>
    public bool DnssecOk { get; }
}
