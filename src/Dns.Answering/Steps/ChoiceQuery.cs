namespace Dns.Answering.Steps;

/// <summary>What a choice sees of a query.</summary>
public readonly ref struct ChoiceQuery
{
    /// <summary>The client.</summary>
    public readonly ref readonly ClientAddress Client;

    internal ChoiceQuery(ref readonly ClientAddress client, View view, bool isAdditional, uint random)
    {
        Client = ref client;
        (View, IsAdditional, Random) = (view, isAdditional, random);
    }

    /// <summary>The view of the query.</summary>
    public View View { get; }

    /// <summary>Whether the RRset is additional data.</summary>
    public bool IsAdditional { get; }

    /// <summary>A random number, another one for each RRset.</summary>
    public uint Random { get; }
}
