using System.Runtime.InteropServices;

namespace Dns.Transport;

/// <summary>A listening socket that is handed to another process, and what is spoken there.</summary>
/// <param name="Handle">The socket; it stays its owner's.</param>
/// <param name="Kind">What is spoken.</param>
public readonly record struct OpenListener(SafeHandle Handle, ListenerKind Kind);
