namespace Dns.Transport.Tests;

public sealed class PortableUdpListenerTests : UdpLoopbackContract
{
    private protected override UdpSetup Setup => UdpListenerKind.Portable;

    [Fact]
    public async Task A_worker_rents_its_slot_once()
    {
        await using UdpRig rig = new(Setup);
        for (ushort i = 0; i < 100; i++)
        {
            rig.Ask(TestResponder.Query(i));
        }

        Assert.Equal(rig.Options.Workers, rig.Pool.Rented);
    }
}
