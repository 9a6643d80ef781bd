namespace Dns.Commands.Tests;

/// <content>Rollovers before their time, and what a request says.</content>
public sealed partial class OfflineKeyCommandTests
{
    private string[] ServerKeys => [.. Directory.EnumerateFiles(Server, "*.private").Order()];

    /// <summary>Signs the request and loads the bundle.</summary>
    private async Task SignAndLoadAsync(params string[] words)
    {
        Assert.Equal(0, (await RunAsync("sign-request", Request, "--keys", Elsewhere, "--output", Bundle)).Code);
        (int code, _, string errors) = await RunAsync(["load-bundle", "a.example", Bundle, "--keys", Server, .. words]);
        Assert.Equal((0, ""), (code, errors));
    }

    private HashSet<string> Requested()
    {
        string text = File.ReadAllText(Request);
        Assert.True(KeySetText.TryRead(text, isBundle: false, out KeySets? request, out TextFault? fault), $"{fault}");
        return [.. request.Slots.SelectMany(slot => slot.Zsks)
            .Select(key => Path.Combine(Server, KeyFile.BaseNameOf(Zone, key.Algorithm, key.Tag) + ".private"))];
    }

    [Fact]
    public async Task A_request_says_what_it_has_and_that_loaded_key_sets_stay_before_it()
    {
        await SignAsync();
        string summary = await RequestAsync("--until", "365d");
        Assert.StartsWith("zone a.example., request of ", summary);
        Assert.Contains($"sha256 {File.ReadAllText(Request).TrimEnd()[^64..]}", summary);
        Assert.Matches(@"\n4[0-9] key sets from \S+ \S+, the last one from ", summary);
        Assert.Matches(@"\nzsk ecdsap256sha256/\d+ in \d+ key sets from \S+ \S+ to ", summary);
        Assert.DoesNotContain("stay as they are", summary);
        await SignAndLoadAsync();
        summary = await RequestAsync("--until", "800d");
        Assert.Matches(@"the key sets before \S+ \S+ stay as they are: --from now replaces them, --new-zsk", summary);
        Assert.DoesNotContain("stay as they are", await RequestAsync("--until", "800d", "--from", "now"));
    }

    [Fact]
    public async Task No_key_that_was_stored_before_a_ZSK_was_stolen_is_used_later()
    {
        await SignAsync();
        await SignAndLoadAsync();
        // A request that was never signed: its keys wait for the next one.
        await RequestAsync("--until", "1000d");
        string[] stolen = ServerKeys;
        Assert.InRange(stolen.Length, 10, 14);
        HashSet<string> planned = Requested();
        await RequestAsync("--until", "365d", "--from", "now");
        Assert.NotEmpty(planned.Intersect(Requested()));
        stolen = ServerKeys;

        string summary = await RequestAsync("--until", "365d", "--new-zsk");
        Assert.DoesNotContain("stay as they are", summary);
        // The first ZSK signs until caches have the next one.
        Assert.Single(Requested().Intersect(stolen));
        Assert.Matches(@"in 2 key sets from \S+ \S+ to ", summary);
        await SignAndLoadAsync("--force");
        HashSet<string> first = Requested();
        await RequestAsync("--until", "1500d");
        Assert.Empty(Requested().Intersect(stolen));
        Assert.NotEmpty(Requested().Intersect(first));
    }

    [Fact]
    public async Task A_KSK_that_is_missing_after_its_return_to_the_server_is_told_by_the_check()
    {
        string state = Path.Combine(_folder, "state"), settings = Path.Combine(_folder, "dnsd.json");
        Directory.CreateDirectory(state);
        File.WriteAllText(Path.Combine(_folder, "a.zone"), "@ 60 SOA ns h 1 1 1 1 1\n@ 60 NS ns.other.\n");
        File.WriteAllText(settings, """
            { "Dns": { "StateDirectory": "state", "Listen": ["127.0.0.1:0"],
                "DnssecPolicies": { "here": { "Keys": "ksk+zsk" } },
                "Zones": [{ "Name": "a.example", "File": "a.zone", "Dnssec": "here" }] } }
            """);
        await SignAsync();
        await GenerateKskAsync(Server);
        await SignAndLoadAsync();
        // Both KSKs of the bundle are in use.
        KeyStore store = new(Server, TimeProvider.System.GetUtcNow);
        KeySlot slot = store.LoadBundle(Zone)!.Slots[0];
        ZoneKeys keys = store.Load(Zone);
        foreach (Dnskey key in slot.Keys)
            keys = keys.With(new KeyRecord(KeySlot.IdOf(key), key.IsSep ? KeyRole.Ksk : KeyRole.Zsk, slot.Start)
            {
                IsPublished = true,
            });
        store.Save(Zone, keys);
        Directory.Move(Server, Path.Combine(state, "keys"));
        string[] ksks = [.. Directory.EnumerateFiles(Elsewhere, "*.private").Order()];
        Assert.Equal(2, ksks.Length);
        string[] import = ["import", "a.example", ksks[0], "--keys", Path.Combine(state, "keys")];
        Assert.Equal(0, (await RunAsync(import)).Code);
        string missing = Path.Combine(state, "keys", Path.GetFileName(ksks[1]));
        Assert.Contains($"{missing}: there is no such file, and the key is to sign: expected it back from a backup; " +
            "if its KSK was offline, \"dnsd keys import\" of every KSK of the bundle", await CheckAsync(settings));
        import[2] = ksks[1];
        Assert.Equal(0, (await RunAsync(import)).Code);
        Assert.Equal("", await CheckAsync(settings));
    }
}
