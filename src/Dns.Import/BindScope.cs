namespace Dns.Import;

/// <summary>What a zone of BIND inherits from its view and the options.</summary>
/// <param name="Clients">Who may ask for it; null = everybody.</param>
/// <param name="Find">Finds a statement there.</param>
internal sealed record BindScope(List<string>? Clients, Func<string, ConfigStatement?> Find);
