namespace Dns.Transport;

/// <summary>The descriptor of a socket that was bound by another process, and what is spoken there.</summary>
/// <param name="Number">An open descriptor of this process.</param>
/// <param name="Kind">What is spoken.</param>
public readonly record struct InheritedDescriptor(int Number, ListenerKind Kind = ListenerKind.Plain);
