using System.Diagnostics.CodeAnalysis;
using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// Signing of zones with a clock, keys and a disk in memory, all work done by the thread of the test.
/// </summary>
internal sealed class SigningRig : ISignedZones, ISigningObserver, IKeyStore, IParentCheck, IZoneSource, IDisposable
{
    internal const string Name = "example.test";
    internal static readonly DomainName Apex = DomainName.Parse(Name);

    private readonly Dictionary<KeyId, (SigningKey Key, ushort Flags)> _privateKeys = [];
    private readonly Queue<Action> _work = [];
    private ZoneKeys _keys = ZoneKeys.Empty;

    private readonly DomainName _apex;

    internal SigningRig(string apex = Name)
    {
        _apex = DomainName.Parse(apex);
        Start();
    }

    internal VirtualClock Clock { get; } = new(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero));

    internal Dictionary<string, DnssecPolicy> Policies { get; } = new() { ["default"] = DnssecPolicy.Default };

    internal ZoneSigning Signing { get; private set; }

    internal Handover Handover { get; private set; } = new();

    internal ZoneRegistry Registry { get; private set; }

    internal ZoneSlot Slot { get; private set; }

    /// <summary>The bound of cached signatures of zones with compact denial, from the next start on.</summary>
    internal long OnlineCacheOctets { get; init; } = 1 << 20;

    internal List<string> Told { get; } = [];

    /// <summary>The content of the disk, and the exception that writing throws.</summary>
    internal Zone? OnDisk { get; private set; }

    internal List<ZoneDelta> DeltasOnDisk { get; } = [];

    /// <summary>Whether the server has not ended in order.</summary>
    internal bool IsCrashed { get; set; }

    /// <summary>Whether only the serial on the disk is readable.</summary>
    internal bool IsDamaged { get; set; }

    /// <summary>The version that is readable of a copy whose later changes are damaged; null = all of it is.</summary>
    internal Zone? BeforeDamage { get; set; }

    internal string? DiskFault { get; set; }

    internal string? KeyFault { get; set; }

    /// <summary>What is thrown instead of writing keys, which can be read.</summary>
    internal string? KeyDiskFault { get; set; }

    /// <summary>The DS records at the parent; null = it cannot be reached.</summary>
    internal List<byte[]>? AtParent { get; set; } = [];

    internal int ParentAsked { get; private set; }

    internal long SignaturesMade { get; private set; }

    /// <summary>Starts or restarts the server with the content of the disk.</summary>
    [MemberNotNull(nameof(Signing), nameof(Registry), nameof(Slot))]
    /// <param name="holds">Whether another process still serves the zone.</param>
    internal void Start(string? policy = "default", bool holds = false)
    {
        Signing?.Dispose();
        IsCrashed = !_isMarked;
        _work.Clear();
        ZoneSigningOptions options =
            new() { Threads = 1, Zones = 1, Start = _work.Enqueue, OnlineCacheOctets = OnlineCacheOctets };
        Handover = new Handover();
        if (holds) Handover.Begin();
        Signing = new ZoneSigning(this, this, Clock, this, options) { Parent = this, Handover = Handover };
        Signing.ParentNotifying += (slot, resolver) => Told.Add($"notifying the parent of {slot.Name} by {resolver}");
        Registry = new ZoneRegistry(new PublishedZones());
        Signing.Follow(Registry);
        Signing.Use(name => Policies.GetValueOrDefault(name));
        Slot = new ZoneSlot(_apex) { Policy = new ZonePolicy { Dnssec = policy } };
        Registry.Change(this, [], [Slot]);
    }

    /// <summary>Starts anew after a crash that left a version on the disk.</summary>
    internal void Crash(Zone kept)
    {
        Start();
        (OnDisk, IsCrashed) = (kept, true);
        DeltasOnDisk.Clear();
    }

    /// <summary>Starts anew with another version on the disk, from a backup.</summary>
    internal void Restore(Zone copy)
    {
        Start();
        OnDisk = copy;
        DeltasOnDisk.Clear();
    }

    /// <summary>Starts anew with the keys, but without what was kept of versions.</summary>
    internal void LoseCopies()
    {
        Start();
        OnDisk = null;
        DeltasOnDisk.Clear();
    }

    /// <summary>Starts anew without the keys and their state; returns what puts them back.</summary>
    internal Action LoseKeys(bool onlyPrivate = false)
    {
        Start();
        Action restore = BackUpKeys();
        _privateKeys.Clear();
        if (!onlyPrivate) _keys = ZoneKeys.Empty;
        return restore;
    }

    /// <summary>The state of the keys on the disk.</summary>
    internal string KeysOnDisk => KeyStateText.Format(_keys);

    /// <summary>Returns what puts the keys of now back, with their state.</summary>
    internal Action BackUpKeys()
    {
        (ZoneKeys keys, var privateKeys) = (_keys, new Dictionary<KeyId, (SigningKey, ushort)>(_privateKeys));
        return () =>
        {
            _keys = keys;
            foreach (var (id, key) in privateKeys) _privateKeys[id] = key;
        };
    }

    /// <summary>Makes all of the disk readable only, or writable again.</summary>
    internal void SetReadOnly(bool isReadOnly) =>
        MarkFault = KeyDiskFault = DiskFault = isReadOnly ? "read-only file system" : null;

    /// <summary>The number of keys that were ever made.</summary>
    internal int KeysMade { get; private set; }

    /// <summary>Does all work that waits.</summary>
    internal void Work()
    {
        while (_work.TryDequeue(out Action? work)) work();
    }

    /// <summary>Lets time go by, in steps, with all work done after each.</summary>
    internal void Advance(TimeSpan time, TimeSpan step, Action? after = null)
    {
        for (TimeSpan gone = TimeSpan.Zero; gone < time; gone += step)
        {
            Clock.Advance(step);
            Work();
            after?.Invoke();
        }
    }

    internal static Zone Source(uint serial, string more = "") => ZoneText.Load(Name, $"""
        @ 3600 SOA ns h {serial} 3600 600 86400 300
        @ 3600 NS ns
        ns 3600 A 192.0.2.1
        *.wild 60 TXT "w"
        sub 600 NS ns.sub
        ns.sub 600 A 192.0.2.2
        {more}
        """);

    /// <summary>Publishes a version of the source and runs the resulting work.</summary>
    internal void Publish(Zone zone, ZoneDelta? delta = null)
    {
        Slot.Publish(zone, Clock.GetUtcNow(), delta);
        Work();
    }

    public void Dispose()
    {
        Signing.Dispose();
        foreach (var (key, _) in _privateKeys.Values) key.Dispose();
    }

    SavedVersion ISignedZones.Load(DomainName zone, CancellationToken cancellation)
    {
        if (IsDamaged && (BeforeDamage ?? OnDisk) is not null) return new(null, [], Damage);
        return BeforeDamage is { } intact ? new(intact, [], Damage) : new(OnDisk, [.. DeltasOnDisk], null);
    }

    private static SourceFailure Damage => new("it is damaged");

    bool ISignedZones.Has(DomainName zone) => OnDisk is not null;

    uint? ISignedZones.FindSerial(DomainName zone) => OnDisk?.Serial;

    void ISignedZones.Save(Zone signed, IReadOnlyList<ZoneDelta> deltas)
    {
        if (DiskFault is not null) throw new IOException(DiskFault);
        OnDisk = signed;
        if (deltas.Count == 0) DeltasOnDisk.Clear();
        DeltasOnDisk.AddRange(deltas);
    }

    bool ISignedZones.MayLackVersions(DomainName zone) => IsCrashed;

    void ISignedZones.Close(IReadOnlyDictionary<DomainName, bool> areSaved) =>
        _isMarked |= MarkFault is null && areSaved.Values.All(isSaved => isSaved);

    void ISignedZones.Delete(DomainName zone) => OnDisk = null;

    /// <summary>What is thrown instead of changing the mark that all versions are on the disk.</summary>
    internal string? MarkFault { get; set; }

    /// <summary>Whether the disk has the mark that all versions are on it.</summary>
    internal bool IsMarked => _isMarked;

    private bool _isMarked = true;

    void ISignedZones.Open() =>
        _isMarked = _isMarked && MarkFault is { } fault ? throw new IOException(fault) : false;

    ZoneKeys IKeyStore.Load(DomainName zone) => KeyFault is null ? _keys : throw new IOException(KeyFault);

    private bool HasState => !ReferenceEquals(_keys, ZoneKeys.Empty);

    bool IKeyStore.HasState(DomainName zone) => HasState;

    void IKeyStore.Invalidate()
    {
    }

    IReadOnlyList<string> IKeyStore.FindOpen(DomainName zone, ZoneKeys keys) => [];

    void IKeyStore.Save(DomainName zone, ZoneKeys keys)
    {
        // As in the store, an unchanged state is not written.
        if (KeyFault is null && HasState && KeyStateText.Format(keys) == KeyStateText.Format(_keys)) return;
        _keys = (KeyFault ?? KeyDiskFault) is { } fault ? throw new IOException(fault) : Written(keys);
    }

    // Like the store: only data in the files survives.
    private static ZoneKeys Written(ZoneKeys keys) =>
        KeyStateText.TryRead(KeyStateText.Format(keys), out ZoneKeys? read, out TextFault? fault)
            ? read : throw new IOException(fault.ToString());

    void IKeyStore.DeleteState(DomainName zone) => _keys = ZoneKeys.Empty;

    KeyRecord IKeyStore.Generate(DomainName zone, KeyNeed need, int rsaBits, ZoneKeys keys, DateTimeOffset now)
    {
        SigningKey key = DistinctKeys.Generate(need.Algorithm, need.Role.SignsKeys());
        KeyId id = new(key.Public.Algorithm, key.Public.Tag);
        _privateKeys[id] = (key, key.Public.Flags);
        KeysMade++;
        return new KeyRecord(id, need.Role, now);
    }

    /// <summary>The text of the bundle on the disk; null = there is none.</summary>
    internal string? BundleOnDisk { get; set; }

    KeySets? IKeyStore.LoadBundle(DomainName zone)
    {
        if (BundleOnDisk is null) return null;
        if (!KeySetText.TryRead(BundleOnDisk, isBundle: true, out KeySets? bundle, out TextFault? fault))
            throw new IOException(fault.ToString());
        return KeySetCheck.FindFault(bundle, zone) is { } setFault
            ? throw new IOException(KeyReplyText.Of(setFault)) : bundle;
    }

    void IKeyStore.SaveBundle(KeySets bundle) => BundleOnDisk = KeySetText.Format(bundle);

    /// <summary>The reason for the last refused change of the keys.</summary>
    internal string Refusal { get; private set; } = "";

    internal bool TryChangeKeys(Func<ZoneKeys, DnssecPolicy, ZoneKeys?> change)
    {
        bool isDone = Signing.TryChangeKeys(_apex, change, out KeyReply reply);
        Refusal = KeyReplyText.Of(reply);
        return isDone;
    }

    /// <summary>Called while a version is being signed, before its keys are opened.</summary>
    internal Action? OnSigning { get; set; }

    SigningKey IKeyStore.Open(DomainName zone, KeyId id)
    {
        OnSigning?.Invoke();
        return OpenPrivate(id);
    }

    private SigningKey OpenPrivate(KeyId id) => _privateKeys.TryGetValue(id, out var key)
        ? key.Key.WithFlags(key.Flags) : throw new IOException($"there is no private key {id}");

    void IParentCheck.QueryDs(DomainName zone, PeerAddress resolver, Action<ParentAnswer> onAnswer)
    {
        ParentAsked++;
        onAnswer(AtParent is null
            ? new ParentAnswer(null, null, "no answer") : new ParentAnswer([.. AtParent], TimeSpan.FromHours(1), null));
    }

    void ISigningObserver.OnSigned(DomainName zone, Zone signed, uint sourceSerial, SigningResult result, TimeSpan took)
    {
        Told.Add($"signed {sourceSerial}");
        SignaturesMade += result.SignaturesMade;
    }

    void ISigningObserver.OnFailed(DomainName zone, string reason) => Told.Add($"failed {reason}");

    void ISigningObserver.OnRecovered(DomainName zone) => Told.Add("recovered");

    void ISigningObserver.OnKeys(DomainName zone, KeyEvent decision) =>
        Told.Add($"keys {KeyText.Of(decision)}");

    void ISigningObserver.OnFirstKeys(DomainName zone, string folder) => Told.Add($"first keys in {folder}");

    string IKeyStore.Folder => "keys";

    void ISigningObserver.OnKeysOpen(DomainName zone, string what) => Told.Add($"open {what}");

    void ISigningObserver.OnBroken(DomainName zone, string problem) => Told.Add($"broken {problem}");

    void ISigningObserver.OnParentWanted(DomainName zone, bool isRemoval) =>
        Told.Add(isRemoval ? "parent wanted to remove" : "parent wanted");

    void ISigningObserver.OnLeft(DomainName zone) => Told.Add("left");

    void ISigningObserver.OnLeftBehind(DomainName zone, uint served) => Told.Add($"left behind {served}");

    void ISigningObserver.OnSignedElsewhere(DomainName zone, bool isServed) =>
        Told.Add(isServed ? "signed elsewhere" : "signed elsewhere too");

    void ISigningObserver.OnSignedHereAgain(DomainName zone) => Told.Add("signed here again");

    void ISigningObserver.OnBundleEnding(DomainName zone, DateTimeOffset end) => Told.Add($"ending {end:u}");

    void ISigningObserver.OnCrash(DomainName zone, Exception error) =>
        throw new InvalidOperationException("unexpected", error);

    Task<ZoneLoadSummary> IZoneSource.StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation) =>
        Task.FromResult(default(ZoneLoadSummary));

    Task<ZoneLoadSummary> IZoneSource.ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        Task.FromResult(default(ZoneLoadSummary));

    Task IZoneSource.StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    ZoneOrigin IZoneSource.OriginOf(ZoneSlot slot) => new("a test", ZoneFile);

    /// <summary>The file of the zone; null = it has none, as a secondary.</summary>
    internal string? ZoneFile { get; set; }
}
