using System.Text.Json;
using System.Text.Json.Serialization;

namespace Dns.Management.Control;

/// <summary>The answer of a running server: one line of JSON, with one of error, text and data.</summary>
public sealed record ControlReply
{
    /// <summary>The error; one line.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Error { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Text { get; init; }

    /// <summary>Whether the answer reports errors, for the exit code.</summary>
    public bool IsBad { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public JsonElement? Data { get; init; }
}
