using System.Text.Json.Serialization;

namespace Dns.Management.Control;

/// <summary>A request to a running server: one line of JSON.</summary>
/// <param name="Command">The command, such as <c>status</c> or <c>zone reload</c>.</param>
public sealed record ControlRequest([property: JsonPropertyName("verb")] string Command)
{
    /// <summary>The maximum length of a request in octets, including its end of line.</summary>
    /// <remarks>A bundle of key sets is the longest, and JSON escapes base 64 characters to six.</remarks>
    public const int MaxOctets = 2 * 1024 * 1024;

    /// <summary>The arguments of the command in order; omitted ones are null.</summary>
    public IReadOnlyList<string?> Arguments { get; init; } = [];

    public bool WantsData { get; init; }

    /// <summary>The view that the command is about; null = the default one, or all.</summary>
    public string? View { get; init; }
}
