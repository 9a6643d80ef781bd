using System.CommandLine;

namespace Dns.Commands;

/// <summary>The name of a zone that the running server serves: shells complete it with the names of those.</summary>
internal sealed class ServedZoneArgument(string name) : Argument<string>(name);
