namespace Dns.Transport.Binding;

/// <summary>The descriptor of a socket bound by another process.</summary>
/// <param name="Number">An open descriptor of this process.</param>
public readonly record struct InheritedDescriptor(int Number, ListenerKind Kind = ListenerKind.Plain);
