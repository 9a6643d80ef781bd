namespace Dns.Management.Admin;

/// <summary>The result of a lookup on the status page or <c>/api/why</c>: an explanation or an error.</summary>
public sealed record ExplainedLookup(Explanation? Explanation, string? Error)
{
    /// <summary>Explains a lookup; null without a name.</summary>
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
