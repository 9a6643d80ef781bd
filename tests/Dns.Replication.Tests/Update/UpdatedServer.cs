using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>The zone <c>z.test</c> of a file, on a disk in memory, with its update handler.</summary>
internal sealed class UpdatedServer : IUpdateObserver, IZoneSource
{
    public const string Journal = "state/zones/z.test.journal";
    public const string Kept = "state/zones/z.test.kept";
    public const string File = "$TTL 300\n@ SOA ns hostmaster 42 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\n";

    private readonly DynamicUpdates _updates;

    public UpdatedServer(
        IJournalFiles files, UpdateOptions? options = null, UpdatePolicy? policy = null, string? directory = "state",
        bool isOfFile = true, string text = File, bool holds = false)
    {
        Policy = policy ?? new UpdatePolicy([new UpdateRule(new PeerRule([IPNetwork.Parse("192.0.2.0/24")], null))]);
        IsOfFile = isOfFile;
        Zones = new DynamicZones(directory, _ => IsOfFile, this, Clock, options ?? new UpdateOptions(), files)
            { History = History, Handover = Handover };
        _updates = new DynamicUpdates(Zones, Clock, _ => Policy) { Keys = new TsigKeyRing([Key]) };
        Zones.Follow(Registry);
        if (holds) Handover.Begin();
        History.Follow(Registry);
        Registry.Change(this, [], [Slot]);
        if (isOfFile) Read(text);
    }

    public static TsigKey Key { get; } = new(DomainName.Parse("k1."), TsigAlgorithm.HmacSha256, new byte[32]);

    public VirtualClock Clock { get; } = new();

    public ZoneRegistry Registry { get; } = new(new PublishedZones());

    /// <summary>The back end of the zone; null = its file.</summary>
    public IZoneWriter? Writer { get; set; }

    public ZoneSlot Slot { get; } = new(DomainName.Parse("z.test"));

    public ZoneHistory History { get; } = new();

    public UpdatePolicy Policy { get; set; }

    /// <summary>Whether the zone has a file and rules.</summary>
    public bool IsOfFile { get; set; }

    /// <summary>Whether the zone is signed here: its versions wait for a signer.</summary>
    public bool IsSigned
    {
        set
        {
            Registry.Signer = new Signer();
            Slot.Policy = new ZonePolicy { Dnssec = value ? "default" : null };
        }
    }

    public DynamicZones Zones { get; }

    public Handover Handover { get; } = new();

    /// <summary>The process before has ended.</summary>
    public IReadOnlyList<DomainName> CatchUp()
    {
        Handover.Complete();
        return Zones.CatchUp();
    }

    /// <summary>The events, a line each.</summary>
    public List<string> Told { get; } = [];

    /// <summary>Answers that were sent.</summary>
    public int Answered => _answered;

    private int _answered;

    /// <summary>Called with each event; a throw stands for a defect of the server.</summary>
    public Action<string>? OnTold { get; set; }

    /// <summary>Has a file read, as the source of files does it.</summary>
    public ZoneLoadResult Read(string text, ZoneSlot? other = null)
    {
        ZoneSlot slot = other ?? Slot;
        string path = Path.GetTempFileName();
        try
        {
            System.IO.File.WriteAllText(path, text);
            ZoneLoadResult read = ZoneLoader.Load(slot.Name, path);
            Assert.True(Zones.Covers(slot));
            return Zones.Publish(slot, read, "z.zone", Clock.GetUtcNow());
        }
        finally
        {
            System.IO.File.Delete(path);
        }
    }

    /// <summary>Updates the zone, and waits for the answer.</summary>
    public Task<Reply> UpdateAsync(params string[] lines) => SendAsync(UpdateText.Message("z.test", lines));

    /// <summary>Sends a message, and waits for the answer.</summary>
    public async Task<Reply> SendAsync(byte[] message, string client = "192.0.2.7", bool isTcp = true) =>
        Reply.Read(await SendRawAsync(message, client, isTcp).WaitAsync(TimeSpan.FromMinutes(1)));

    /// <summary>Sends a message; its answer is the result.</summary>
    public Task<byte[]> SendRawAsync(byte[] message, string client = "192.0.2.7", bool isTcp = true)
    {
        byte[] room = new byte[ushort.MaxValue];
        message.CopyTo(room, 0);
        ClientAddress address = ClientAddress.From(new IPEndPoint(IPAddress.Parse(client), 5353));
        DnsTransport transport = isTcp ? DnsTransport.Tcp : DnsTransport.Udp;
        QueryOrigin origin = new(in address, transport, 0);
        int octets =
            _updates.Receive(room, message.Length, ref origin, Registry.Published.Current, out UpdateRequest? request);
        Sender sender = new(this);
        if (request is null) sender.Answer.SetResult(room[..octets]);
        else _updates.Queue(request, new ReplyPath(sender, in address, 65535, transport));
        return sender.Answer.Task;
    }

    /// <summary>The zone that is served, as text.</summary>
    public IReadOnlyList<string> Served => ChangingZone.TextOf(Slot.Zone!);

    /// <summary>Whether a name has records.</summary>
    public bool Has(string name)
    {
        LookupName lookup = default;
        lookup.Set(DomainName.Parse(name + ".z.test").Octets);
        return Slot.Zone!.TryFind(in lookup, 0, out ZoneNode node) && node.HasData;
    }

    public void OnApplied(DomainName zone, ZoneAuthor author, int removed, int added, uint serial) =>
        Tell($"applied {author.Client} {author.Key} -{removed} +{added} {serial}");

    public void OnRefused(DomainName zone, ZoneAuthor author, ZoneWriteFault reason) =>
        Tell($"refused {author.Client} {author.Key} {ZoneWriteFaultText.Of(reason)}");

    public void OnFailed(DomainName zone, string reason) => Tell("failed " + reason);

    public void OnNotCompacted(DomainName zone, long octets) => Tell($"not compacted {octets}");

    public void OnLoss(DomainName zone, string path, JournalLoss loss) => Tell($"loss {loss}");

    public void OnConflict(DomainName zone, FileConflict conflict) => Tell("conflict " + conflict);

    public void OnCrash(DomainName zone, Exception error) => Tell("crash " + error);

    public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
        CancellationToken cancellation) =>
        throw new NotSupportedException();

    public Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
        throw new NotSupportedException();

    public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

    public ZoneOrigin OriginOf(ZoneSlot slot) => new("a test", null);

    private void Tell(string line)
    {
        OnTold?.Invoke(line);
        lock (Told) Told.Add(line);
    }

    private sealed class Signer : IZoneSigning
    {
        public bool Keeps(ZoneSlot slot, Zone? version) => false;

        public void Sign(ZoneSlot slot, in ZoneVersionChange source, DateTimeOffset? now)
        {
        }

        public void Release(ZoneSlot slot)
        {
        }
    }

    private sealed class Sender(UpdatedServer server) : IReplySender
    {
        public TaskCompletionSource<byte[]> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Send(in ReplyPath path, ReadOnlySpan<byte> answer)
        {
            Interlocked.Increment(ref server._answered);
            Answer.SetResult(answer.ToArray());
        }

        public void Abandon(in ReplyPath path) => Answer.SetCanceled();

        public bool TryStream(in ReplyPath path, IReplySequence sequence) => false;

        public void Wake(in ReplyPath path)
        {
        }
    }
}
