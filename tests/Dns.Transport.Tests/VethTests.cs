namespace Dns.Transport.Tests;

/// <summary>One pair of namespaces for the tests of a class.</summary>
public sealed class VethFixture : IDisposable
{
    private readonly VethPair? _pair = PrivateNetworkFactAttribute.Permitted ? new VethPair() : null;

    /// <summary>The listener in the pair.</summary>
    /// <remarks>Skips the test if no pair can be created.</remarks>
    internal UdpSetup SetupOf(UdpListenerKind kind)
    {
        Assert.SkipUnless(PrivateNetworkFactAttribute.Permitted, PrivateNetworkFactAttribute.Reason);
        return new(kind, _pair!);
    }

    public void Dispose() => _pair?.Dispose();
}

/// <summary>The contract across two network namespaces.</summary>
public sealed class PortableVethTests(VethFixture veth) : UdpListenerContract, IClassFixture<VethFixture>
{
    private protected override UdpSetup Setup => veth.SetupOf(UdpListenerKind.Portable);
}

/// <summary>The contract across two network namespaces.</summary>
public sealed class BatchedVethTests(VethFixture veth) : UdpListenerContract, IClassFixture<VethFixture>
{
    private protected override UdpSetup Setup => veth.SetupOf(UdpListenerKind.Batched);
}

/// <summary>Deferred replies across two network namespaces.</summary>
public sealed class PortableVethLaterTests(VethFixture veth) : LaterAnswerContract, IClassFixture<VethFixture>
{
    private protected override UdpSetup Setup => veth.SetupOf(UdpListenerKind.Portable);
}

/// <summary>Deferred replies across two network namespaces.</summary>
public sealed class BatchedVethLaterTests(VethFixture veth) : LaterAnswerContract, IClassFixture<VethFixture>
{
    private protected override UdpSetup Setup => veth.SetupOf(UdpListenerKind.Batched);
}
