namespace Dns.Management.Status;

/// <summary>Counters of a feature for <c>dnsd stats</c>.</summary>
/// <param name="Title">The title over them; groups of one title are joined.</param>
/// <param name="Prefix">What stands before each name: <c>cookies:</c>; empty = nothing.</param>
public sealed record CountGroup(string Title, string Prefix, IEnumerable<NamedCount> Rows)
{
    /// <summary>Titles that <c>dnsd stats --json</c> has properties for.</summary>
    public const string Defence = "defence", Forwarding = "forwarding", Cache = "cache";

    /// <summary>The rows with the prefix.</summary>
    public IEnumerable<NamedCount> Named =>
        Prefix.Length == 0 ? Rows : Rows.Select(one => new NamedCount($"{Prefix} {one.Name}", one.Count));
}
