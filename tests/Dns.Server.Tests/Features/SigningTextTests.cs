using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Tests.Features;

/// <summary>What an operator reads of keys and signing: <c>dnsd keys list</c>, <c>dnsd zone status</c>.</summary>
public sealed class SigningTextTests
{
    private static readonly DomainName Zone = DomainName.Parse("z.test");
    private static readonly DateTimeOffset Time = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    [Fact]
    public void A_step_of_the_zone_is_listed_with_its_time_or_what_it_waits_for()
    {
        KeyList list = KeyList.Of(Zone, ZoneKeys.Empty,
        [
            new KeyWait(KeyIds.None, KeyAction.TakeKeySet, Time, null),
            new KeyWait(KeyIds.None, KeyAction.Make, null, KeyConditionKind.KeysRemoved),
            new KeyWait(KeyIds.None, KeyAction.Forget, null, null),
        ]);
        StringWriter output = new();
        list.Write(output);
        string[] expected =
            ["take the next key set at 2026-01-02 03:04:05Z", "make: waits for keys that are still in use to go",
                "forget"];
        Assert.Equal(expected, list.Waits);
        Assert.Equal(expected, output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    public void DS_records_say_from_when_on_the_parent_may_have_them()
    {
        const string Lines = "z.test. IN DS 1 13 2 00\n";
        KeyWait other = new(KeyIds.None, KeyAction.Purge, Time, null),
            early = other with { Action = KeyAction.SubmitDs };
        Assert.Equal(Lines, ParentDsLines.WithTime(Lines, [other]));
        Assert.Equal("; not before 2026-01-02 03:04:05Z: caches may have the zone without these keys\n" + Lines,
            ParentDsLines.WithTime(Lines, [other, early]));
        Assert.StartsWith("; not before the steps before it: ",
            ParentDsLines.WithTime(Lines, [early with { At = null }]));
    }

    [Fact]
    public void A_zone_that_cannot_be_signed_has_no_advice_about_its_file()
    {
        const string Why = "it cannot be signed: no keys";
        ZoneStatus zone = new()
        {
            Name = "z.test.", State = "broken", File = "z.zone", Failure = Why,
            Signing = new ZoneSigningStatus { Policy = "default", Denial = "nsec", Error = Why },
        };
        string text = TextOf(zone);
        Assert.Single(text.Split("it cannot be signed")[1..]);
        Assert.DoesNotContain("dnsd zone reload", text);
        Assert.Contains("(the file is good: dnsd zone reload)", TextOf(zone with { Failure = "1:1: a mistake" }));
        StringWriter list = new();
        ZoneStatus served = zone with { State = "serving", Serial = 7, IsOutdated = true };
        ZonePage page = new() { Zones = [served with { IsSigningFailed = true }, served] };
        ZoneTexts.Write(page, list);
        Assert.Matches("serving, signing failed.*\n.*serving, file has errors", list.ToString());
    }

    [Fact]
    public void The_list_knows_a_zone_whose_signing_failed_from_one_whose_file_has_errors()
    {
        InMemoryZoneSource zones = new();
        ZoneRegistry registry = new(new PublishedZones());
        Zone zone = ZoneText.Load("z.test.", "@ SOA ns.x. h.x. 7 1 1 1 1\n@ NS ns.x.\n");
        zones.Publish(zone);
        zones.StartAsync(registry, new SilentObserver(), default);
        ZoneSlot slot = registry.Find(DomainName.Parse("z.test."))!;
        registry.Signer = new FailingSigner();
        slot.Policy = new ZonePolicy { Dnssec = "default" };
        Assert.Equal((true, "it cannot be signed"), FailureOf(slot));
        slot.Fail("1:1: a mistake");
        Assert.Equal((false, "1:1: a mistake"), FailureOf(slot));
    }

    private static (bool, string?) FailureOf(ZoneSlot slot)
    {
        ZoneStatus status = Assert.Single(ZonePage.Of([slot], 1).Zones);
        return (status.IsSigningFailed, status.Failure);
    }

    private sealed class FailingSigner : IZoneSigning
    {
        public bool Keeps(ZoneSlot slot, Zone? version) => false;

        public void Sign(ZoneSlot slot, in ZoneVersionChange source, DateTimeOffset? now) =>
            slot.FailSigning("it cannot be signed", now);

        public void Release(ZoneSlot slot)
        {
        }
    }

    [Fact]
    public void A_zone_that_stops_being_signed_says_which_step_is_next()
    {
        ZoneSigningStatus signing = new()
        {
            Policy = "default", Denial = "nsec", SourceSerial = 1, SignedFrom = 1, Leaving = true,
            Keys = ["ecdsap256sha256/1 csk active"],
        };
        ZoneStatus zone = new() { Name = "z.test.", State = "serving", Serial = 105, Signing = signing };
        Assert.Matches("(?m)^signed +until its DS records are gone, by the former policy default, of serial 1$",
            TextOf(zone));
        string text = TextOf(zone with { Signing = signing with { Keys = [], NextRefresh = null } });
        Assert.Matches("(?m)^signed +no longer: serial 105 is above that of its source, 1, until the source has a " +
            "greater one$", text);
        Assert.DoesNotContain("denial", text);
        Assert.DoesNotContain("signatures", text);
    }

    [Fact]
    public void The_parent_is_to_change_or_to_remove_its_DS_records()
    {
        Recorder lines = new();
        SigningLog log = new(lines);
        log.OnParentWanted(Zone, isRemoval: false);
        log.OnParentWanted(Zone, isRemoval: true);
        Assert.Equal(
        [
            "The parent of zone z.test. must change its DS records (\"dnsd keys ds z.test.\"; then \"dnsd keys " +
                "submitted z.test.\")",
            "The parent of zone z.test. must remove its DS records (then \"dnsd keys submitted z.test.\")",
        ],
        lines.Lines);
    }

    private static string TextOf(ZoneStatus zone)
    {
        StringWriter text = new();
        ZoneTexts.Write(zone, text);
        return text.ToString().ReplaceLineEndings("\n");
    }

    private sealed class Recorder : ILogger<SigningLog>
    {
        public List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) =>
            Lines.Add(formatter(state, exception));
    }
}
