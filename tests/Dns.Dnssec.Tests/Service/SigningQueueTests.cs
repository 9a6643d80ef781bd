using System.Net;

namespace Dns.Dnssec.Tests;

public sealed class SigningQueueTests
{
    [Fact]
    public void One_zone_of_each_primary_in_turn_and_one_of_those_without()
    {
        using SigningRig rig = new();
        SigningQueue waiting = new();
        void Add(string name, int? port) => waiting.Enqueue(new SignedZone(
            new Copied(name, port is { } there ? new IPEndPoint(IPAddress.Loopback, there) : null), null, rig.Signing));
        List<string> Take(int most)
        {
            List<string> names = [];
            while (most-- > 0 && waiting.TryDequeue(out SignedZone? zone)) names.Add(zone.Slot.Name.ToString());
            return names;
        }

        foreach (string name in (string[])["a1", "a2", "a3", "a4"]) Add(name, 1);
        Add("b1", 2);
        Add("own1", null);
        Add("own2", null);
        Assert.Equal(["a1.", "b1.", "own1.", "a2."], Take(4));
        // A primary whose zones had all gone comes back behind those that wait.
        Add("b2", 2);
        Assert.Equal(["own2.", "a3.", "b2.", "a4."], Take(9));
        Add("a5", 1);
        Assert.Equal(["a5."], Take(9));
    }

    private sealed class Copied(string name, IPEndPoint? primary) : ZoneSlot(DomainName.Parse(name)), IReplicatedZone
    {
        public IPEndPoint? MainPrimary => primary;

        public ZoneReplica Replica => default;

        public long ExpiresAt => 0;
    }
}
