namespace Dns.Transport.Tests;

public sealed class PortableUdpListenerTests : UdpListenerContract
{
    private protected override UdpListenerKind Kind => UdpListenerKind.Portable;

    [Fact]
    public async Task A_lane_rents_its_slot_once()
    {
        await using UdpRig rig = new(Kind);
        for (ushort i = 0; i < 100; i++)
        {
            rig.Ask(TestResponder.Query(i));
        }

        Assert.Equal(rig.Options.Workers, rig.Pool.Rented);
    }
}
