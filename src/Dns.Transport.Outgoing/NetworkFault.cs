namespace Dns.Transport.Outgoing;

/// <summary>Why the system opened no socket, or did not send.</summary>
/// <param name="IsUnreachable">
/// Whether the network is the reason: no route, no address to send from, or a local firewall. Any other fault, such as
/// a lack of descriptors, memory or ports, says nothing about the peer.
/// </param>
/// <param name="Text">The system's text, such as <c>Network is unreachable</c>.</param>
public sealed record NetworkFault(bool IsUnreachable, string Text);
