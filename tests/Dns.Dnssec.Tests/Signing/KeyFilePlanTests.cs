namespace Dns.Dnssec.Tests;

/// <summary>What times and flags of key files mean.</summary>
public sealed class KeyFilePlanTests
{
    private static readonly DomainName Zone = DomainName.Parse("example.");

    [Theory]
    [InlineData(null, null, null, null, true, true)]
    [InlineData(-1, -1, null, null, true, true)]
    [InlineData(-1, 1, null, null, true, false)]
    [InlineData(-1, null, null, null, true, false)]
    [InlineData(1, 2, null, null, false, false)]
    [InlineData(null, -1, null, null, true, true)]
    [InlineData(null, 1, null, null, false, false)]
    [InlineData(-3, -2, -1, null, true, false)]
    [InlineData(-3, -2, -1, 0, false, false)]
    public void Times_say_whether_a_key_is_published_and_signs(
        int? publish, int? activate, int? inactive, int? delete, bool isPublished, bool signs)
    {
        KeyTimes times =
            new() { Publish = At(publish), Activate = At(activate), Inactive = At(inactive), Delete = At(delete) };
        SigningPlan plan = KeyFilePlan.At([File(Plans.Csk, times)], Plans.Now);
        Assert.Equal(isPublished, plan.Published.Count == 1);
        Assert.Equal(signs, plan.ZoneSigners.Count == 1);
        Assert.Equal(signs, plan.KeySigners.Count == 1);
    }

    [Fact]
    public void Keys_of_both_kinds_share_the_work_and_one_kind_alone_does_all()
    {
        SigningPlan both = KeyFilePlan.At([File(Plans.Ksk), File(Plans.Zsk)], Plans.Now);
        Assert.Equal([Plans.Ksk], both.KeySigners);
        Assert.Equal([Plans.Zsk], both.ZoneSigners);
        SigningPlan one = KeyFilePlan.At([File(Plans.Zsk)], Plans.Now);
        Assert.Equal([Plans.Zsk], one.KeySigners);
        Assert.Null(one.FindFault());
        SigningPlan two = KeyFilePlan.At([File(Plans.Ksk), File(Plans.Zsk), File(Other)], Plans.Now);
        Assert.Equal([Plans.Ksk, Other], two.KeySigners);
        Assert.Equal([Plans.Zsk, Other], two.ZoneSigners);
    }

    [Fact]
    public void The_parent_is_told_from_the_time_that_the_file_says()
    {
        KeyTimes times = new() { SyncPublish = At(0), SyncDelete = At(2) };
        Assert.Single(KeyFilePlan.At([File(Plans.Csk, times)], Plans.Now).Cds);
        Assert.Single(KeyFilePlan.At([File(Plans.Csk, times)], Plans.Now).Cdnskey);
        Assert.Empty(KeyFilePlan.At([File(Plans.Csk, times)], Plans.Now.AddHours(-1)).Cds);
        Assert.Empty(KeyFilePlan.At([File(Plans.Csk, times)], Plans.Now.AddHours(2)).Cds);
    }

    [Fact]
    public void A_revoked_key_is_published_with_its_flag_and_signs_no_more()
    {
        SigningPlan plan =
            KeyFilePlan.At([File(Plans.Csk, new KeyTimes { Revoke = At(0) }), File(Plans.Zsk)], Plans.Now);
        Assert.Contains(plan.Published, key => key.IsRevoked);
        Assert.Equal([Plans.Zsk], plan.KeySigners);
        Assert.Null(plan.FindFault());
    }

    private static SigningKey Other { get; } = SigningKey.Generate(DnssecAlgorithm.EcdsaP384Sha384, isSep: true);

    private static DateTimeOffset? At(int? hours) => hours is { } known ? Plans.Now.AddHours(known) : null;

    private static KeyFile File(SigningKey key, KeyTimes? times = null) =>
        new() { Zone = Zone, Public = key.Public, Key = key, Times = times ?? new KeyTimes() };
}
