namespace Dns.Transport.Binding;

/// <summary>A listening socket to pass to another process.</summary>
/// <param name="Handle">The socket; stays owned by the listener.</param>
public readonly record struct OpenListener(SafeHandle Handle, ListenerKind Kind);
