using System.Net;

namespace Dns.Reloading.Tests;

/// <summary>What <c>dnsd reload</c> says of zones that are copied from primaries.</summary>
public sealed class ReloadReportTests
{
    private static readonly ZoneUpdateResult Files =
        ZoneUpdateResult.None with { Added = [DomainName.Parse("file.test")] };

    [Fact]
    public void Secondaries_that_come_go_and_move_are_named_beside_zones_of_files()
    {
        SecondaryChanges changes = SecondaryChanges.Between(
            [Zone("same.test", 1), Zone("gone.test", 1), Zone("moved.test", 1)],
            [Zone("moved.test", 2), Zone("same.test", 1), Zone("new.test", 1)]);
        SettingsReloadResult result = new([], [], Files) { Secondaries = changes };
        Assert.Equal(
            "file.test. added\nnew.test. added\ngone.test. removed\nmoved.test. has other primaries\n",
            Text(result, isTrial: false));
        Assert.Equal(
            "file.test. would be added\nnew.test. would be added\ngone.test. would be removed\nmoved.test. would " +
                "have other primaries\n",
            Text(result, isTrial: true));
    }

    [Fact]
    public void A_secondary_with_other_primaries_alone_is_a_change()
    {
        SecondaryChanges changes = SecondaryChanges.Between([Zone("a.test", 1)], [Zone("a.test", 2)]);
        Assert.Equal("a.test. has other primaries\n",
            Text(new([], [], ZoneUpdateResult.None) { Secondaries = changes }, isTrial: false));
        Assert.Equal("nothing has changed\n", Text(new([], [], ZoneUpdateResult.None), isTrial: false));
    }

    [Fact]
    public void Another_key_of_a_primary_is_another_primary()
    {
        SecondaryZoneOptions plain = Zone("a.test", 1);
        SecondaryZoneOptions signed =
            plain with { Primaries = [plain.Primaries[0] with { Key = DomainName.Parse("k1.") }] };
        Assert.Equal(plain.Name, Assert.Single(SecondaryChanges.Between([plain], [signed]).Moved));
    }

    private static SecondaryZoneOptions Zone(string name, int primary) =>
        new(DomainName.Parse(name), [new PeerAddress(new IPEndPoint(IPAddress.Parse($"192.0.2.{primary}"), 53))]);

    private static string Text(SettingsReloadResult result, bool isTrial)
    {
        StringWriter text = new() { NewLine = "\n" };
        result.ToReport(isTrial).Write(text);
        return text.ToString();
    }
}
