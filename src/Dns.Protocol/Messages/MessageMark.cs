namespace Dns.Protocol.Messages;

/// <summary>A position of a <see cref="MessageWriter"/>, to rewind to or to continue from in a larger buffer.</summary>
/// <param name="Position">The offset of the next record.</param>
/// <param name="Counts">The four counts as in the header.</param>
public readonly record struct MessageMark(int Position, ulong Counts);
