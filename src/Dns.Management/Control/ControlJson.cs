using System.Text.Json.Serialization;

namespace Dns.Management.Control;

/// <summary>The JSON types of the control socket, generated at build time. A field without a value is null.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ControlRequest))]
[JsonSerializable(typeof(ControlReply))]
[JsonSerializable(typeof(StatusSummary))]
[JsonSerializable(typeof(Readiness))]
[JsonSerializable(typeof(ZonePage))]
[JsonSerializable(typeof(ZoneStatus))]
[JsonSerializable(typeof(JournalContent))]
[JsonSerializable(typeof(ReloadReport))]
[JsonSerializable(typeof(Statistics))]
[JsonSerializable(typeof(Explanation))]
[JsonSerializable(typeof(CacheContent))]
[JsonSerializable(typeof(KeyList))]
[JsonSerializable(typeof(Done))]
public sealed partial class ControlJson : JsonSerializerContext;
