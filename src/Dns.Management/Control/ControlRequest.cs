using System.Text.Json.Serialization;

namespace Dns.Management;

/// <summary>What is asked of a running server: one line of JSON.</summary>
/// <param name="Command">What to do, such as <c>status</c> or <c>zone reload</c>.</param>
internal sealed record ControlRequest([property: JsonPropertyName("verb")] string Command)
{
    /// <summary>The longest request in octets, its end of line included.</summary>
    /// <remarks>A bundle of key sets is the longest, and base 64 has signs that JSON writes as six.</remarks>
    public const int MaxOctets = 2 * 1024 * 1024;

    /// <summary>The arguments of the command, in its order; what is left out is null.</summary>
    public IReadOnlyList<string?> Arguments { get; init; } = [];

    /// <summary>Whether the answer is wanted as data, and not as text for people.</summary>
    public bool WantsData { get; init; }
}
