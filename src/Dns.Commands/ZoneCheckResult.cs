using System.Text.Json.Serialization;

namespace Dns.Commands;

/// <summary>What <c>dnsd zone check --json</c> prints. The names of its fields do not change.</summary>
/// <param name="Zone">The zone, with its last dot.</param>
/// <param name="File">The file as it was named.</param>
/// <param name="IsGood">Whether the exit code is 0.</param>
/// <param name="Records">Records of a zone that can be served; 0 of one that cannot.</param>
internal sealed record ZoneCheckResult(
    string Zone, string File, [property: JsonPropertyName("good")] bool IsGood, long Records,
    IReadOnlyList<CheckedDiagnostic> Diagnostics)
{
    /// <summary>Signatures that are good; null = they were not verified.</summary>
    public long? Signatures { get; init; }

    /// <summary>When the first of them expires.</summary>
    public DateTimeOffset? FirstExpiration { get; init; }

    public static ZoneCheckResult Of(
        string zone, string file, bool isGood, ZoneCheckOutput checks,
        IEnumerable<ZoneDiagnostic> found, ZoneVerification? verification) =>
        new(zone, file, isGood, checks.Records, [.. found.Select(CheckedDiagnostic.Of)])
        {
            Signatures = verification?.Signatures,
            FirstExpiration = verification?.FirstExpiration,
        };
}

/// <summary>A diagnostic in JSON.</summary>
/// <param name="Severity"><c>error</c> or <c>warning</c>.</param>
/// <param name="File">The file, or the one that it includes.</param>
/// <param name="Line">The line, from 1; 0 = the file as a whole.</param>
/// <param name="Column">The column in octets, from 1; 0 = the line as a whole.</param>
internal sealed record CheckedDiagnostic(string Severity, string File, int Line, int Column, string Message)
{
    public static CheckedDiagnostic Of(ZoneDiagnostic found) =>
        new(found.Severity == Zones.MasterFiles.Severity.Error ? "error" : "warning",
            found.File, found.Line, found.Column, found.Message);
}

/// <summary>The JSON of checks, known when the program is built.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ZoneCheckResult))]
internal sealed partial class ZoneCheckJson : JsonSerializerContext;
