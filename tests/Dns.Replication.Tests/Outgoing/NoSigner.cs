namespace Dns.Replication.Tests;

/// <summary>A placeholder of an online signer, never called by a transfer.</summary>
internal sealed class NoSigner : IOnlineSigner
{
    public int Count => 0;

    public int CostOf(int index) => throw new NotSupportedException();

    public bool TryFind(
        int index, scoped ReadOnlySpan<byte> owner, RRset rrset, scoped Span<byte> rdata, out int octets,
        out bool isDue) =>
        throw new NotSupportedException();

    public bool TryMake(
        int index, scoped ReadOnlySpan<byte> owner, RRset rrset, bool isOfAnyName, scoped Span<byte> rdata,
        out int octets) =>
        throw new NotSupportedException();
}
