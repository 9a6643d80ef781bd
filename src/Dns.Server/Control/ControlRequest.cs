namespace Dns.Server;

/// <summary>What is asked of a running server: one line of JSON.</summary>
/// <param name="Verb">What to do, such as <c>status</c> or <c>zone reload</c>.</param>
internal sealed record ControlRequest(string Verb)
{
    /// <summary>The longest request in octets, its end of line included.</summary>
    public const int MaxOctets = 16 * 1024;

    /// <summary>The arguments of the verb, in its order; what is left out is null.</summary>
    public IReadOnlyList<string?> Arguments { get; init; } = [];

    /// <summary>Whether the answer is wanted as data, and not as text for people.</summary>
    public bool WantsData { get; init; }
}
