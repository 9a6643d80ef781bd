namespace Dns.Protocol;

/// <summary>How far a <see cref="MessageWriter"/> has come: what it can be taken back to, or be gone on with in a larger buffer.</summary>
/// <param name="Position">Where the next record starts.</param>
/// <param name="Counts">The four counts as they stand in the header.</param>
public readonly record struct MessageMark(int Position, ulong Counts);
