using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>What is served where a zone cannot be signed.</summary>
public sealed class SigningFaultTests : IDisposable
{
    private static readonly TimeSpan Retry = TimeSpan.FromHours(2);
    private readonly SigningRig _rig = new();

    public void Dispose() => _rig.Dispose();

    private (ZoneState State, uint? Serial, bool IsSigned) Served =>
        (_rig.Slot.State, _rig.Slot.Zone?.Serial, _rig.Slot.Zone?.IsSigned == true);

    private void PublishSigned()
    {
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Serving, 2u, true), Served);
    }

    private void Recover()
    {
        _rig.Advance(Retry, Retry);
        Assert.Equal((ZoneState.Serving, true), (Served.State, Served.IsSigned));
        Assert.Null(_rig.Slot.Failure);
        SignedZoneText.VerifyAll(_rig.Slot.Zone!);
    }

    [Fact]
    public void A_served_zone_that_gets_a_policy_is_served_unsigned_until_it_can_be_signed()
    {
        _rig.Start(policy: null);
        _rig.Publish(SigningRig.Source(7));
        Assert.Equal((ZoneState.Serving, 7u, false), Served);
        _rig.KeyDiskFault = "no space";
        _rig.Slot.Policy = new ZonePolicy { Dnssec = "default" };
        _rig.Work();
        Assert.Equal((ZoneState.Stale, 7u, false), Served);
        Assert.Equal("it cannot be signed: no space; it is served unsigned until it is signed",
            _rig.Slot.Failure?.Text);
        _rig.Publish(SigningRig.Source(9));
        Assert.Equal((ZoneState.Stale, 9u, false), Served);
        _rig.KeyDiskFault = null;
        Recover();
        Assert.Equal(10u, Served.Serial);
    }

    [Fact]
    public void A_zone_that_was_never_signed_is_served_unsigned_where_the_first_keys_cannot_be_kept()
    {
        _rig.KeyDiskFault = "no space";
        _rig.Publish(SigningRig.Source(7));
        Assert.Equal((ZoneState.Stale, 7u, false), Served);
        _rig.KeyDiskFault = null;
        Recover();
    }

    [Fact]
    public void Versions_served_unsigned_during_the_first_signing_are_followed_by_greater_serials()
    {
        _rig.Start(policy: null);
        _rig.Publish(SigningRig.Source(7));
        _rig.Slot.Policy = new ZonePolicy { Dnssec = "default" };
        // The work that waits signs a version that is not the newest when it is done.
        bool isFirst = true;
        _rig.OnSigning = () =>
        {
            if (!isFirst) return;
            isFirst = false;
            _rig.Slot.Publish(SigningRig.Source(20), _rig.Clock.GetUtcNow());
            Assert.Equal((ZoneState.Serving, 20u, false), Served);
        };
        List<(uint?, uint)> told = [];
        _rig.Registry.VersionPublished += (_, change) => told.Add((change.Before?.Serial, change.Now.Serial));
        _rig.Work();
        Assert.False(isFirst);
        Assert.Equal((ZoneState.Serving, true), (Served.State, Served.IsSigned));
        Assert.True(Served.Serial > 20);
        Assert.Equal([(7u, 20u), (20u, Served.Serial!.Value)], told);
        SignedZoneText.VerifyAll(_rig.Slot.Zone!);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_start_with_keys_that_cannot_be_read_serves_the_signed_copy(bool isChanged)
    {
        PublishSigned();
        _rig.Start();
        _rig.KeyFault = "example.test.keystate:1: expected a version";
        _rig.Publish(SigningRig.Source(isChanged ? 5u : 1u));
        Assert.Equal((ZoneState.Stale, 2u, true), Served);
        Assert.Contains("expected a version", _rig.Slot.Failure?.Text);
        _rig.KeyFault = null;
        Recover();
        Assert.Equal(isChanged ? 5u : 1u, _rig.Signing.StatusOf(SigningRig.Apex)!.SignedFrom);
    }

    [Fact]
    public void A_start_without_a_private_key_serves_the_signed_copy()
    {
        PublishSigned();
        Action restore = _rig.LoseKeys(onlyPrivate: true);
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Stale, 2u, true), Served);
        Assert.Contains("there is no private key", _rig.Slot.Failure?.Text);
        restore();
        Recover();
    }

    [Fact]
    public void Lost_keys_are_not_replaced_while_a_signed_copy_shows_that_there_were_some()
    {
        PublishSigned();
        int made = _rig.KeysMade;
        Action restore = _rig.LoseKeys();
        _rig.Publish(SigningRig.Source(5));
        _rig.Advance(4 * Retry, Retry);
        Assert.Equal((ZoneState.Stale, 2u, true), Served);
        Assert.Contains("its keys are lost: its signed copy has 013+", _rig.Slot.Failure?.Text);
        Assert.False(_rig.TryChangeKeys((keys, _) => keys));
        Assert.StartsWith("its keys are lost", _rig.Refusal);
        DateTimeOffset until = _rig.Clock.GetUtcNow().AddDays(1);
        Assert.False(_rig.Signing.TryMakeRequest(SigningRig.Apex, null, until, out _, out KeyReply reply));
        Assert.StartsWith("its keys are lost", KeyReplyText.Of(reply));
        restore();
        Recover();
        Assert.Equal((5u, made), (Served.Serial, _rig.KeysMade));
    }

    [Fact]
    public void Keys_older_than_the_signed_copy_do_not_sign()
    {
        PublishSigned();
        _rig.Advance(TimeSpan.FromDays(2), Retry);
        Assert.True(_rig.TryChangeKeys((keys, policy) =>
            KeyRequests.TrySubmit(keys, policy, null, _rig.Clock.GetUtcNow(), out ZoneKeys next, out _) ? next : null));
        _rig.Advance(TimeSpan.FromDays(2), Retry);
        Action restoreOld = _rig.BackUpKeys();
        uint before = Served.Serial!.Value;
        Assert.True(_rig.TryChangeKeys((keys, _) =>
            KeyRequests.TryRollOver(keys, ksk: false, zsk: false, out ZoneKeys next, out KeyReply _) ? next : null));
        _rig.Advance(TimeSpan.FromDays(2), Retry);
        uint serial = Served.Serial!.Value;
        Assert.True(serial > before);
        int made = _rig.KeysMade;
        Action restoreNew = _rig.LoseKeys();
        restoreOld();
        _rig.Publish(SigningRig.Source(9));
        _rig.Advance(4 * Retry, Retry);
        Assert.Equal((ZoneState.Stale, serial, true), Served);
        Assert.Contains("its keys are older than its signed copy, which is signed with 013+", _rig.Slot.Failure?.Text);
        Assert.Contains("if the DS records at the parent are of a key that the folder has", _rig.Slot.Failure?.Text);
        restoreNew();
        Recover();
        Assert.Equal(made, _rig.KeysMade);
        // The older state over the files of all keys.
        _rig.Start();
        restoreOld();
        _rig.Publish(SigningRig.Source(9));
        Assert.Contains(": the files of these keys are in the key folder, but its example.test.keystate does not name "
            + "them", _rig.Slot.Failure?.Text);
        restoreNew();
        Recover();
        Assert.Equal(made, _rig.KeysMade);
    }

    [Fact]
    public void An_expired_copy_is_no_reason_to_refuse_older_keys()
    {
        PublishSigned();
        Action restoreOld = _rig.BackUpKeys();
        _rig.LoseKeys();
        _rig.LoseCopies();
        _rig.Clock.Advance(TimeSpan.FromMinutes(5));
        PublishSigned();
        _rig.LoseKeys();
        restoreOld();
        _rig.Publish(SigningRig.Source(5));
        Assert.Equal((ZoneState.Stale, 2u), (Served.State, Served.Serial));
        _rig.Clock.Advance(DnssecPolicy.Default.SignatureLifetime + TimeSpan.FromDays(1));
        _rig.Work();
        _rig.Advance(Retry, Retry);
        Assert.Equal((ZoneState.Serving, true), (Served.State, Served.IsSigned));
    }

    [Fact]
    public void A_copy_older_than_the_keys_is_signed_with_these()
    {
        PublishSigned();
        Zone copy = _rig.OnDisk!;
        _rig.LoseKeys();
        _rig.LoseCopies();
        _rig.Clock.Advance(TimeSpan.FromMinutes(5));
        PublishSigned();
        int made = _rig.KeysMade;
        _rig.Restore(copy);
        _rig.Publish(SigningRig.Source(3));
        Assert.Equal((ZoneState.Serving, true), (Served.State, Served.IsSigned));
        Assert.Equal(made, _rig.KeysMade);
    }

    [Fact]
    public void The_first_keys_of_a_zone_are_reported_once()
    {
        _rig.KeyDiskFault = "no space";
        _rig.Publish(SigningRig.Source(1));
        Assert.DoesNotContain("first keys in keys", _rig.Told);
        _rig.KeyDiskFault = null;
        _rig.Advance(Retry, Retry);
        _rig.Start();
        _rig.Publish(SigningRig.Source(2));
        Assert.Single(_rig.Told, "first keys in keys");
        _rig.LoseKeys();
        _rig.LoseCopies();
        _rig.Publish(SigningRig.Source(2));
        Assert.Equal(2, _rig.Told.Count(line => line == "first keys in keys"));
    }

    [Fact]
    public void Keys_of_other_signers_in_the_source_do_not_count_as_lost()
    {
        using SigningKey other = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);
        string text = Convert.ToBase64String(other.Public.Rdata[4..]);
        Zone source = SigningRig.Source(1, $"@ 3600 DNSKEY 256 3 13 {text}");
        // A copy whose only key is that of the source.
        _rig.Crash(source);
        _rig.Publish(source);
        Assert.Equal((ZoneState.Serving, true), (Served.State, Served.IsSigned));
    }

    [Fact]
    public void Without_keys_and_copy_a_zone_that_was_signed_is_not_served_unsigned()
    {
        PublishSigned();
        _rig.LoseCopies();
        _rig.KeyFault = "damaged";
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Failed, null, false), Served);
        // Known keys whose private parts are missing.
        _rig.KeyFault = null;
        _rig.LoseKeys(onlyPrivate: true);
        _rig.LoseCopies();
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Failed, null, false), Served);
        // A copy that is damaged says that there were keys.
        _rig.LoseKeys();
        _rig.Crash(SigningRig.Source(1));
        _rig.IsDamaged = true;
        _rig.KeyDiskFault = "no space";
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Failed, null, false), Served);
    }

    [Fact]
    public void Without_keys_and_a_readable_copy_no_keys_are_made()
    {
        PublishSigned();
        int made = _rig.KeysMade;
        Zone copy = _rig.Slot.Zone!;
        Action restore = _rig.LoseKeys();
        _rig.Crash(copy);
        _rig.IsDamaged = true;
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Failed, null, false), Served);
        Assert.Equal("its keys are lost, and its signed copy cannot be read: it is damaged", _rig.Slot.Failure?.Text);
        Assert.Equal(made, _rig.KeysMade);
        restore();
        Recover();
        Assert.True(Served.Serial > copy.Serial);
    }

    [Fact]
    public void A_copy_that_could_not_be_read_is_tried_again()
    {
        PublishSigned();
        _rig.Crash(_rig.Slot.Zone!);
        (_rig.IsDamaged, _rig.KeyFault) = (true, "no access");
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(3 * Retry, Retry);
        Assert.Equal((ZoneState.Failed, null, false), Served);
        Assert.Single(_rig.Told, "broken it is damaged");
        _rig.IsDamaged = false;
        _rig.Advance(Retry, Retry);
        Assert.Equal((ZoneState.Stale, 2u, true), Served);
    }

    [Fact]
    public void A_leaving_zone_whose_keys_are_lost_is_served_by_its_copy()
    {
        PublishSigned();
        _rig.LoseKeys();
        _rig.Start(policy: null);
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Stale, 2u, true), Served);
    }

    [Fact]
    public void A_zone_that_expired_is_served_when_its_source_confirms_the_same_version()
    {
        Zone held = SigningRig.Source(1);
        _rig.Publish(held);
        Zone signed = _rig.Slot.Zone!;
        _rig.Slot.Expire("nobody confirms it", _rig.Clock.GetUtcNow());
        _rig.Work();
        Assert.Null(_rig.Slot.Zone);
        _rig.Publish(held);
        Assert.Same(signed, _rig.Slot.Zone);
        Assert.Equal(ZoneState.Serving, Served.State);
    }

    [Fact]
    public void A_failure_of_signing_is_not_one_of_the_source()
    {
        _rig.KeyDiskFault = "no space";
        _rig.Publish(SigningRig.Source(1));
        Assert.NotNull(_rig.Slot.Failure);
        Assert.Null(_rig.Slot.SourceFailure);
        _rig.Slot.Fail("line 3", _rig.Clock.GetUtcNow());
        Assert.Equal("line 3", _rig.Slot.SourceFailure?.Text);
    }

    [Theory]
    [InlineData("default")]
    [InlineData("other")]
    public void The_newest_version_is_signed_when_a_policy_is_set_during_its_publication(string policy)
    {
        _rig.Start(policy == "default" ? null : "default");
        _rig.Publish(SigningRig.Source(1));
        _rig.Policies["other"] = DnssecPolicy.Default with { Name = "other", Denial = DenialMethod.Nsec3 };
        bool isFirst = true;
        _rig.Signing.Use(name =>
        {
            if (isFirst && name == policy)
            {
                isFirst = false;
                // The source's thread, while that of the settings is here.
                _rig.Slot.Publish(SigningRig.Source(20), _rig.Clock.GetUtcNow());
            }
            return _rig.Policies.GetValueOrDefault(name);
        });
        _rig.Slot.Policy = new ZonePolicy { Dnssec = policy };
        _rig.Work();
        Assert.False(isFirst);
        Assert.Equal(20u, _rig.Signing.StatusOf(SigningRig.Apex)!.SignedFrom);
    }

    [Fact]
    public void A_clock_that_is_set_back_does_not_stop_the_questions_to_the_parent()
    {
        TimeSpan day = TimeSpan.FromDays(1), hour = TimeSpan.FromHours(1);
        _rig.Policies["default"] =
            DnssecPolicy.Default with { ParentResolver = new(new(System.Net.IPAddress.Loopback, 5353)) };
        _rig.Clock.Set(400 * day);
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(day, hour);
        int asked = _rig.ParentAsked;
        Assert.NotEqual(0, asked);
        _rig.Clock.Set(-400 * day);
        _rig.Advance(3 * day, hour);
        Assert.True(_rig.ParentAsked > asked + 10);
    }

    [Fact]
    public void The_copy_of_a_compact_zone_is_not_served_without_its_keys()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Denial = DenialMethod.Compact };
        PublishSigned();
        _rig.Start();
        _rig.KeyFault = "damaged";
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Failed, null, false), Served);
        _rig.KeyFault = null;
        _rig.Advance(Retry, Retry);
        Assert.Equal((ZoneState.Serving, true), (Served.State, Served.IsSigned));
    }
}
