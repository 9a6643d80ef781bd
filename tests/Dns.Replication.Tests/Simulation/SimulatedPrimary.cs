using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>
/// A server of a simulation with a zone of a file that is changed by UPDATE messages: its process may be killed at any
/// write, its disk may refuse one; file and journal stay. It knows what its clients were told, and checks it at each
/// start.
/// </summary>
internal sealed class SimulatedPrimary(SimulatedNetwork network, IPEndPoint address, DomainName zone, string text,
    Random random) : IUpdateObserver
{
    // So small that it is compacted every now and then, and full in between.
    private static readonly UpdateOptions Options = new() { Journal = new JournalOptions { MaxOctets = 6_000 } };

    private readonly FaultyFiles _disk = new();

    // A client's knowledge about each name that it has changed: whether it has records; null = the result of its update
    // is unknown.
    private readonly SortedDictionary<string, bool?> _names = [];
    private ZoneLoadResult _file = Load(zone, text);
    private MortalFiles? _files;
    private DynamicZones? _zones;
    private DynamicUpdates? _updates;
    private ZoneSlot? _slot;
    private volatile Exception? _crash;
    private int _changes;

    public IPEndPoint Address => address;

    public SimulatedServer? Server { get; private set; }

    /// <summary>What is served; null = nothing, or the process is gone.</summary>
    public Zone? Serves => _slot?.Zone;

    /// <summary>Updates that were acknowledged, and those that were not.</summary>
    public (int Done, int Failed) Updates { get; private set; }

    /// <summary>How often the process was killed in the middle of a write.</summary>
    public int KilledWriting { get; private set; }

    /// <summary>Starts the process, and checks that it serves all that was acknowledged.</summary>
    public void Start()
    {
        Server = new SimulatedServer(network.Clock);
        _files = new MortalFiles(_disk);
        _zones =
            new DynamicZones("state", _ => true, this, network.Clock, Options, _files) { History = Server.History };
        UpdatePolicy everybody = new([new UpdateRule(new PeerRule([IPNetwork.Parse("0.0.0.0/0")], null))]);
        _updates = new DynamicUpdates(_zones, network.Clock, _ => everybody);
        _zones.Follow(Server.Registry);
        _slot = new ZoneSlot(zone);
        Server.Registry.Change(Server, [], [_slot]);
        Assert.True(_zones.Covers(_slot));
        _zones.Publish(_slot, _file, "z.zone", network.Clock.GetUtcNow());
        Check();
        network.Serve(address, Server.Answer);
    }

    /// <summary>The process is gone, as by <c>kill -9</c>.</summary>
    public void Kill()
    {
        network.Serve(address, null);
        _files?.Kill();
        (Server, _files, _zones, _updates, _slot) = (null, null, null, null, null);
    }

    /// <summary>
    /// Sends an update, and waits for its answer; the disk may fail, or the process be killed on the way to it.
    /// </summary>
    /// <returns>Whether there is a new version.</returns>
    public bool Update()
    {
        bool isDelete = random.Next(4) == 0 && _names.Count > 0;
        string name = isDelete ? _names.Keys.ElementAt(random.Next(_names.Count)) : $"n{_changes}";
        string line = isDelete ? $"delete {name}" : $"add {name} 60 TXT \"{_changes}\"";
        _changes++;
        uint before = Serves!.Serial;
        Disturb();
        Rcode rcode = Send(UpdateText.Message(zone.ToString(), line));
        (_disk.Room, _disk.Flushes, _disk.CanCut) = (long.MaxValue, int.MaxValue, true);
        if (!_files!.IsDead) _files.WritesLeft = int.MaxValue;
        // An answer of a process that is gone reaches no client.
        bool isDone = rcode == Rcode.NoError && !_files.IsDead;
        Updates = (Updates.Done + (isDone ? 1 : 0), Updates.Failed + (isDone ? 0 : 1));
        _names[name] = isDone ? !isDelete : null;
        if (_files.IsDead)
        {
            KilledWriting++;
            Kill();
            return false;
        }
        Check();
        return Serves.Serial != before;
    }

    /// <summary>
    /// Writes the served version over the file, like <c>zone sync</c>; the process may be killed meanwhile.
    /// </summary>
    public void Synchronise()
    {
        if (random.Next(2) == 0) (_files!.WritesLeft, _files.LastPart) = (random.Next(6), random.NextDouble());
        try
        {
            _zones!.Synchronise(_slot!, version =>
            {
                _files!.Live();
                _file = _file.With(version, null);
            });
        }
        catch (IOException) when (_files!.IsDead)
        {
            KilledWriting++;
        }
        if (_files!.IsDead) Kill();
        else _files.WritesLeft = int.MaxValue;
    }

    private void Disturb()
    {
        switch (random.Next(8))
        {
            case 0:
                (_files!.WritesLeft, _files.LastPart) = (random.Next(8), random.NextDouble());
                break;
            case 1:
                (_disk.Room, _disk.CanCut) = (random.Next(300), random.Next(2) == 0);
                break;
            case 2:
                (_disk.Flushes, _disk.CanCut) = (random.Next(2), random.Next(2) == 0);
                break;
        }
    }

    private Rcode Send(byte[] message)
    {
        byte[] room = new byte[ushort.MaxValue];
        message.CopyTo(room, 0);
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Parse("192.0.2.77"), 5353));
        QueryOrigin origin = new(in client, DnsTransport.Tcp, 0);
        int octets =
            _updates!.Receive(room, message.Length, ref origin, Server!.Published.Current, out UpdateRequest? request);
        if (request is null) return Reply.Read(room[..octets]).Rcode;
        Answer answer = new();
        _updates.Queue(request, new ReplyPath(answer, in client, 65535, DnsTransport.Tcp));
        Assert.True(answer.Octets.Wait(TimeSpan.FromMinutes(1)), "an update is not answered");
        return Reply.Read(answer.Octets.Result).Rcode;
    }

    /// <summary>Acknowledged records are served, and removed ones are not.</summary>
    private void Check()
    {
        Assert.Null(_crash);
        LookupName lookup = default;
        foreach ((string name, bool? isThere) in _names)
        {
            if (isThere is not { } expected) continue;
            lookup.Set(DomainName.Parse($"{name}.{zone}").Octets);
            bool isServed = Serves!.TryFind(in lookup, 0, out ZoneNode node) && node.HasData;
            Assert.True(isServed == expected,
                $"{name} after {_changes} changes, serial {Serves.Serial}: served {isServed}, acknowledged {expected}");
        }
    }

    private static ZoneLoadResult Load(DomainName zone, string text)
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, text);
            return ZoneLoader.Load(zone, path);
        }
        finally
        {
            File.Delete(path);
        }
    }

    void IUpdateObserver.OnApplied(DomainName zone, ZoneAuthor author, int removed, int added, uint serial)
    {
    }

    void IUpdateObserver.OnRefused(DomainName zone, ZoneAuthor author, ZoneWriteFault reason) =>
        throw new InvalidOperationException("refused: " + ZoneWriteFaultText.Of(reason));

    void IUpdateObserver.OnFailed(DomainName zone, string reason)
    {
    }

    void IUpdateObserver.OnNotCompacted(DomainName zone, long octets)
    {
    }

    void IUpdateObserver.OnLoss(DomainName zone, string path, JournalLoss loss)
    {
    }

    void IUpdateObserver.OnConflict(DomainName zone, FileConflict conflict) =>
        throw new InvalidOperationException(conflict.ToString());

    void IUpdateObserver.OnCrash(DomainName zone, Exception error) => _crash = error;

    private sealed class Answer : IReplySender
    {
        private readonly TaskCompletionSource<byte[]> _octets = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<byte[]> Octets => _octets.Task;

        public void Send(in ReplyPath path, ReadOnlySpan<byte> answer) => _octets.TrySetResult(answer.ToArray());

        public void Abandon(in ReplyPath path) => _octets.TrySetCanceled();

        public bool TryStream(in ReplyPath path, IReplySequence sequence) => false;

        public void Wake(in ReplyPath path)
        {
        }
    }
}
