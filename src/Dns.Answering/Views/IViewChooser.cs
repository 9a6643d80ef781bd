namespace Dns.Answering.Views;

/// <summary>Chooses the view of a query before its zone. Thread-safe; allocates nothing, never throws.</summary>
public interface IViewChooser
{
    /// <summary>The position of the view in its <see cref="ViewSet"/>.</summary>
    int Choose(scoped in ViewQuery query);
}

/// <summary>What decides in which view a query is.</summary>
public readonly ref struct ViewQuery
{
    /// <summary>The client.</summary>
    public readonly ref readonly ClientAddress Client;

    internal ViewQuery(ref readonly ClientAddress client, DnsTransport transport, bool recursionDesired, TsigKey? key)
    {
        Client = ref client;
        Transport = transport;
        RecursionDesired = recursionDesired;
        Key = key;
    }

    /// <summary>The transport.</summary>
    public DnsTransport Transport { get; }

    /// <summary>RD.</summary>
    public bool RecursionDesired { get; }

    /// <summary>The key whose signature was verified; null if there is none, or it is not verified yet.</summary>
    public TsigKey? Key { get; }
}
