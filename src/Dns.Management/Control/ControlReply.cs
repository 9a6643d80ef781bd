using System.Text.Json;

namespace Dns.Management.Control;

/// <summary>The answer of a running server: one line of JSON, with one of error, text and data.</summary>
internal sealed record ControlReply
{
    /// <summary>The error; one line.</summary>
    public string? Error { get; init; }

    public string? Text { get; init; }

    /// <summary>Whether the answer reports errors, for the exit code.</summary>
    public bool IsBad { get; init; }

    public JsonElement? Data { get; init; }
}
