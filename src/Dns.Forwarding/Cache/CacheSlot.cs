namespace Dns.Forwarding.Cache;

/// <summary>The layout of a 64-bit index slot; 0 is empty.</summary>
/// <remarks><code>
///   63       62 ....... 36   35 . 34   33              32      31 ........ 0
///   in use   tag (of hash)   hits      refresh begun   unused  position / 8 bytes
/// </code></remarks>
internal static class CacheSlot
{
    public const ulong InUse = 1ul << 63;

    /// <summary>27 bits of the hash.</summary>
    public const ulong TagMask = ((1ul << 27) - 1) << 36;

    public const ulong Hit = 1ul << 34;

    /// <summary>Hits since it was stored or last passed over, 3 at most.</summary>
    public const ulong HitsMask = 3ul << 34;

    public const ulong RefreshStarted = 1ul << 33;

    /// <summary>The bits that identify the entry; the rest is its use.</summary>
    public const ulong EntryMask = InUse | TagMask | uint.MaxValue;

    /// <summary>A slot without hits.</summary>
    public static ulong Make(ulong hash, uint position) => InUse | Tag(hash) | position;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Tag(ulong hash) => hash << 4 & TagMask;

    public static int Hits(ulong slot) => (int)((slot & HitsMask) >> 34);
}
