namespace Dns.Import.Bind;

/// <summary>What a zone of BIND inherits from its view and the options.</summary>
/// <param name="Clients">The clients that may query it; null = all.</param>
internal sealed record BindScope(List<string>? Clients, Func<string, ConfigStatement?> Find);
