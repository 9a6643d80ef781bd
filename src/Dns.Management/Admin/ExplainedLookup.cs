namespace Dns.Management;

/// <summary>What became of a lookup that the status page or <c>/api/why</c> was asked for: one of both is there.</summary>
/// <param name="Explanation">Why the answer is what it is.</param>
/// <param name="Error">Why there is no explanation, in one line.</param>
internal sealed record ExplainedLookup(Explanation? Explanation, string? Error)
{
    /// <summary>Explains a lookup; null where no name is asked for.</summary>
    public static ExplainedLookup? Of(WhyQuery why, StatusQuery query)
    {
        if (query.Lookup.Name is not { } name) return null;
        try
        {
            return new ExplainedLookup(why.Explain(name, query.Lookup.Type, query.Lookup.Client), null);
        }
        catch (ControlException error)
        {
            return new ExplainedLookup(null, error.Message);
        }
    }
}
