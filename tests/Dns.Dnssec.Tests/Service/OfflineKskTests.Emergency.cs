namespace Dns.Dnssec.Tests;

/// <content>Rollovers before their time, by the steps of docs/reference/signing.md.</content>
public sealed partial class OfflineKskTests
{
    // By the defaults of the policy, for the TTLs of the zone.
    private static readonly TimeSpan Lead = Hour + Policy.PropagationDelay + Policy.RetireSafety;

    [Theory]
    // In the middle of its lifetime, and with the next ZSK published and not active.
    [InlineData(20 * 24)]
    [InlineData(40 * 24 - 2)]
    public void A_stolen_ZSK_is_out_of_the_zone_when_caches_have_the_next_one(int age)
    {
        _rig.Publish(SigningRig.Source(1));
        Load(365 * Day);
        _rig.Advance(TimeSpan.FromHours(age), Hour, BringToParent);
        KeyId[] stolen = [.. Served().Keys.Where(id => !Served().KeySigners.Contains(id))];
        Assert.Equal(age > 39 * 24 ? 2 : 1, stolen.Length);
        HashSet<KeyId> loaded = [.. Loaded().SelectMany(slot => slot.Zsks).Select(KeySlot.IdOf)];

        KeySets request = Request(365 * Day, replacesZsk: true);
        Assert.Equal(Now, request.Slots[0].Start);
        // None of the keys that were on the disk signs after it.
        Assert.DoesNotContain(request.Slots[^1].Zsks.Select(KeySlot.IdOf), loaded.Contains);
        Assert.Null(FindFault(Sign(request)));
        Assert.All(stolen, id => Assert.Contains(id, Served().Keys));
        _rig.Advance(Lead, Hour, AssertGood);
        Assert.All(stolen, id => Assert.DoesNotContain(Served().SignerSets, signers => signers.Contains(id)));
        _rig.Advance(Lead + 2 * Hour, Hour, AssertGood);
        Assert.All(stolen, id => Assert.DoesNotContain(id, Served().Keys));

        ServedKeys Served() => ServedKeysReader.Read(this.Served, Hour);
    }

    [Fact]
    public void ZSKs_without_a_lifetime_are_replaced_once()
    {
        _rig.Policies["default"] = Policy with { ZskLifetime = TimeSpan.Zero };
        _rig.Start();
        _rig.Publish(SigningRig.Source(1));
        Load(60 * Day);
        Assert.Equal(1, _rig.KeysMade);
        KeySets request = Request(60 * Day, replacesZsk: true);
        Assert.Equal(2, _rig.KeysMade);
        Assert.Equal([2, 2, 1], request.Slots.Take(3).Select(slot => slot.Zsks.Count()));
        Assert.Equal([Now + Lead, Now + Lead + Lead + Hour], request.Slots.Skip(1).Take(2).Select(slot => slot.Start));
    }

    [Fact]
    public void The_DS_record_of_another_KSK_is_requested_as_soon_as_caches_have_it()
    {
        _rig.Publish(SigningRig.Source(1));
        Load(365 * Day);
        _rig.Advance(20 * Day, Hour, BringToParent);
        KeyId next = KeySlot.IdOf(MakeKsk().Public);
        Assert.Null(FindFault(Sign(Request(365 * Day, Now))));
        DateTimeOffset begin = Now;
        KeyWait wait = Assert.Single(Status.Waits, wait => wait.Keys.Contains(next));
        Assert.Equal((KeyAction.SubmitDs, begin + Lead), (wait.Action, wait.At));
        _rig.Advance(Lead - Hour, Hour, AssertGood);
        Assert.False(Served.ApexNode.TryFind(RRType.CDS, out _));
        _rig.Advance(Hour, Hour, AssertGood);
        Assert.Equal([next], ServedKeysReader.Read(Served, Hour).Cds);
        Assert.True(KeyRequests.TrySubmit(Status.Keys, Policy, next.Tag, Now, out _, out KeyReply reply),
            KeyReplyText.Of(reply));
    }

    [Fact]
    public void CDS_of_a_bundle_that_is_loaded_late_waits_until_caches_have_its_KSK()
    {
        // The parent does not answer, so that CDS of the first KSK stays.
        _rig.AtParent = null;
        _rig.Publish(SigningRig.Source(1));
        Load(365 * Day);
        _rig.Advance(20 * Day, Hour);
        KeyIds first = ServedKeysReader.Read(Served, Hour).Cds;
        Assert.Single(first);
        KeyId next = KeySlot.IdOf(MakeKsk().Public);
        KeySets bundle = Sign(Request(365 * Day, Now));
        _rig.Advance(Day, Hour);
        Assert.Null(FindFault(bundle));
        ServedKeys served = ServedKeysReader.Read(Served, Hour);
        Assert.Contains(next, served.Keys);
        Assert.Equal(KeyIds.None, served.Cds);
        _rig.Advance(Lead, Hour, AssertGood);
        Assert.Equal([next], ServedKeysReader.Read(Served, Hour).Cds);
    }

    private IReadOnlyList<KeySlot> Loaded()
    {
        bool isRead = KeySetText.TryRead(_rig.BundleOnDisk!, isBundle: true, out KeySets? bundle, out TextFault? fault);
        Assert.True(isRead, fault?.ToString());
        return bundle!.Slots;
    }
}
