using System.Text.Json;

namespace Dns.Management;

/// <summary>What a running server answers: one line of JSON. Of error, text and data one is there.</summary>
internal sealed record ControlReply
{
    /// <summary>Why nothing came of it; one line.</summary>
    public string? Error { get; init; }

    /// <summary>The answer for people.</summary>
    public string? Text { get; init; }

    /// <summary>Whether the answer reports errors, so that the exit code must, too.</summary>
    public bool IsBad { get; init; }

    /// <summary>The answer as data.</summary>
    public JsonElement? Data { get; init; }
}
