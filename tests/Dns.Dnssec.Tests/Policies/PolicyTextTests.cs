using System.Net;

namespace Dns.Dnssec.Tests;

public sealed class PolicyTextTests
{
    private static readonly DnssecPolicy Unusual = new("a name, with = and ü")
    {
        Algorithm = DnssecAlgorithm.RsaSha512, RsaBits = 3072, Keys = KeyScheme.KskAndZsk, Denial = DenialMethod.Nsec3,
        OptOut = true,
        SignatureLifetime = TimeSpan.FromSeconds(30), Refresh = TimeSpan.FromSeconds(10),
        ZskLifetime = TimeSpan.FromDays(90),
        KskLifetime = TimeSpan.FromDays(7), PropagationDelay = TimeSpan.FromSeconds(1),
        RetireSafety = TimeSpan.FromSeconds(2),
        DnskeyTtl = TimeSpan.FromSeconds(3), ParentDsTtl = TimeSpan.FromMinutes(4),
        ParentPropagationDelay = TimeSpan.FromSeconds(5),
        Zonemd = true, OfflineKsk = true, Serial = SerialPolicy.UnixTime,
        ParentResolver = new IPEndPoint(IPAddress.IPv6Loopback, 5353),
    };

    [Fact]
    public void A_state_has_the_policy_as_it_was()
    {
        foreach (DnssecPolicy? policy in (DnssecPolicy?[])[Unusual, DnssecPolicy.Default, new DnssecPolicy(""), null])
        {
            string text = KeyStateText.Format(ZoneKeys.Empty with { Policy = policy });
            Assert.True(KeyStateText.TryRead(text, out ZoneKeys? keys, out TextFault? fault), $"{fault}");
            Assert.Equal(policy, keys.Policy);
            Assert.Equal(text, KeyStateText.Format(keys));
        }
    }
}
