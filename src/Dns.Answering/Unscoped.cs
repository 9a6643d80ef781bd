namespace Dns.Answering;

/// <summary>
/// References to locals of the answering method, for structures on the same stack. The compiler cannot see that a
/// <see cref="QueryContext"/> or <see cref="Resolution{TSteps}"/> never outlives that method: neither is returned, and
/// no heap object can hold one.
/// </summary>
internal static class Unscoped
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref T Of<T>(scoped ref readonly T local) => ref Unsafe.AsRef(in local);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Span<T> Of<T>(scoped Span<T> local) =>
        MemoryMarshal.CreateSpan(ref Unsafe.AsRef(in MemoryMarshal.GetReference(local)), local.Length);
}
