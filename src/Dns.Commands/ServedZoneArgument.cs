namespace Dns.Commands;

/// <summary>The name of a zone of the running server, completed by shells.</summary>
internal sealed class ServedZoneArgument(string name) : Argument<string>(name);
