namespace Dns.Dnssec.Tests;

/// <summary>
/// A zone that is signed by <see cref="KeyRollover"/> on a machine that stops and whose clock is set, below a parent
/// that is slow.
/// </summary>
internal sealed class SimulatedZone
{
    private readonly Random _random;
    private readonly DateTimeOffset _start = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private readonly CacheModel _caches;
    private readonly HashSet<KeyId> _everMade = [];
    private readonly Dictionary<KeyId, KeyState> _states = [];
    private string _disk = "";
    private ServedKeys _served;
    private KeyPlan _plan = new();
    private ZoneKeys _keys = ZoneKeys.Empty;
    private KeyIds _parent = KeyIds.None;
    private DateTimeOffset _planDue = DateTimeOffset.MaxValue, _signaturesDue = DateTimeOffset.MaxValue, _parentDue;
    private TimeSpan _offset, _lastOffset, _parentTtl = TimeSpan.FromDays(1);
    private bool _isDown, _isCarried;

    public SimulatedZone(int seed, DnssecPolicy policy)
    {
        _random = new Random(seed);
        Policy = policy;
        Now = _start;
        _caches = new CacheModel(policy.PropagationDelay, policy.ParentPropagationDelay ?? policy.PropagationDelay);
        _served = ServedKeys.Unsigned with { KeysTtl = policy.DnskeyTtl!.Value, LongestTtl = LongestTtl };
        _caches.Serve(_served, Now);
        _caches.Delegate(_parent, DsTtl, Now);
    }

    public DnssecPolicy Policy { get; set; }

    /// <summary>Whether the zone is to be signed.</summary>
    public bool IsOn { get; set; } = true;

    /// <summary>The longest time until the parent follows CDS.</summary>
    public TimeSpan ParentTakes { get; set; } = TimeSpan.FromDays(10);

    public TimeSpan LongestTtl { get; set; } = TimeSpan.FromHours(12);

    public TimeSpan DsTtl { get; set; } = TimeSpan.FromDays(1);

    /// <summary>The true time.</summary>
    public DateTimeOffset Now { get; private set; }

    public TimeSpan Elapsed => Now - _start;

    public ZoneKeys Keys => _keys;

    public KeyPlan Plan => _plan;

    public ServedKeys Served => _served;

    public KeyIds Parent => _parent;

    public int Steps { get; private set; }

    public int Restarts { get; private set; }

    public int Jumps { get; private set; }

    /// <summary>How many keys of each role came out of use after they were in full use.</summary>
    public Dictionary<KeyRole, int> Removed { get; } = [];

    /// <summary>Decisions and events, for the message of a failure.</summary>
    public List<string> Log { get; } = [];

    /// <summary>Goes on to the next thing that happens, and no further than a limit.</summary>
    public void Advance(TimeSpan most)
    {
        TimeSpan step = TimeSpan.FromSeconds(_random.NextInt64(1, (long)most.TotalSeconds + 1));
        if (LastNext is { } next && next - _offset > Now && next - _offset < Now + step) step = next - _offset - Now;
        Now += step;
        Check();
        if (!_isDown && Now >= _planDue) Serve();
        if (!_isDown && Now >= _signaturesDue) FinishSignatures();
        MoveParent();
        if (!_isDown) Step();
        Check();
    }

    private DateTimeOffset? LastNext { get; set; }

    /// <summary>The wall clock of the machine is set.</summary>
    public void Jump(TimeSpan by)
    {
        // What a clock was set by while the process was down is not known to it; it may wait too long then, and never
        // too short.
        if (_isDown && by > TimeSpan.Zero) return;
        _offset += by;
        Jumps++;
        Log.Add($"{Now:u} clock {by}");
        if (!_isDown) Step();
    }

    /// <summary>The process ends; the disk and the servers keep their data.</summary>
    public void Stop()
    {
        (_isDown, _isCarried) = (true, false);
        _planDue = _signaturesDue = DateTimeOffset.MaxValue;
    }

    /// <summary>The process starts. How far the clock was set while it was down is not known to it.</summary>
    public void Start()
    {
        if (!_isDown) return;
        _isDown = false;
        Restarts++;
        _lastOffset = _offset;
        Assert.True(KeyStateText.TryRead(_disk, out ZoneKeys? keys, out TextFault? fault), $"{fault}");
        Assert.Equal(KeyStateText.Format(_keys), KeyStateText.Format(keys));
        _keys = keys;
        Carry(KeyRollover.PlanOf(_keys));
        if (_served.SignerSets.Count > 1) _signaturesDue = Now + TimeSpan.FromHours(_random.Next(1, 200));
    }

    /// <summary>An operator wants another key.</summary>
    public void Want(bool ksk, bool zsk)
    {
        _keys = _keys with { WantsKsk = ksk, WantsZsk = zsk };
        _disk = KeyStateText.Format(_keys);
    }

    private void Step()
    {
        Steps++;
        ZoneFacts facts = new(_served) { Parent = _random.Next(4) == 0 ? Seen() : null };
        TimeSpan jump = _offset - _lastOffset;
        _lastOffset = _offset;
        KeyStep step = KeyRollover.Step(IsOn ? Policy : null, _keys, facts, Now + _offset, jump);
        for (int i = 0; step.Needs.Count > 0; i++)
        {
            Assert.True(i < 4, "a step asks for keys again and again");
            ZoneKeys made = step.Keys;
            foreach (KeyNeed need in step.Needs) made = made.With(Make(need, made));
            foreach (KeyEvent line in step.Events) Log.Add($"{Now:u} {KeyText.Of(line)}");
            step = KeyRollover.Step(IsOn ? Policy : null, made, facts with { Parent = null }, Now + _offset);
        }
        foreach (KeyEvent line in step.Events) Log.Add($"{Now:u} {KeyText.Of(line)}");
        Count(step.Keys);
        _keys = step.Keys;
        _disk = KeyStateText.Format(_keys);
        LastNext = step.Next;
        Carry(step.Plan);
    }

    private KeyRecord Make(KeyNeed need, ZoneKeys keys)
    {
        KeyId id;
        do id = new KeyId(need.Algorithm, (ushort)_random.Next(65536));
        while (keys.Find(id) is not null || !_everMade.Add(id));
        Log.Add($"{Now:u} key {id} {need.Role.Text()} made");
        return new KeyRecord(id, need.Role, Now + _offset);
    }

    private void Count(ZoneKeys keys)
    {
        foreach (KeyRecord key in keys.Keys)
        {
            KeyState state = KeyStates.Of(keys, key);
            if (state == KeyState.Removed && _states.GetValueOrDefault(key.Id) != KeyState.Removed &&
                key.Activated is not null)
                Removed[key.Role] = Removed.GetValueOrDefault(key.Role) + 1;
            // No key returns.
            if (_states.TryGetValue(key.Id, out KeyState before) && before >= KeyState.Retired)
                Assert.True(state >= before, $"{key.Id} is {state} after {before}");
            _states[key.Id] = state;
        }
    }

    /// <summary>A plan is carried out some time later.</summary>
    private void Carry(KeyPlan plan)
    {
        if (plan == _plan && _isCarried) return;
        (_plan, _isCarried) = (plan, true);
        _planDue = Now + TimeSpan.FromSeconds(_random.Next(0, 600));
    }

    /// <summary>Keys come into the zone at once, signatures one after the other.</summary>
    private void Serve()
    {
        _planDue = DateTimeOffset.MaxValue;
        List<KeyIds> sets = [.. _served.SignerSets];
        if (!sets.Contains(_plan.ZoneSigners)) sets.Add(_plan.ZoneSigners);
        if (sets.Count > 1) _signaturesDue = Now + TimeSpan.FromHours(_random.Next(1, 200));
        _served = ServedKeys.Of(_plan, Policy.DnskeyTtl!.Value, LongestTtl) with { SignerSets = sets };
        _caches.Serve(_served, Now);
    }

    private void FinishSignatures()
    {
        _signaturesDue = DateTimeOffset.MaxValue;
        _served = _served with { SignerSets = [_plan.ZoneSigners] };
        _caches.Serve(_served, Now);
    }

    private void MoveParent()
    {
        bool isAsked = (_served.Cds.Count > 0 || _served.IsCdsDelete) && !_served.Cds.Equals(_parent);
        if (!isAsked) return;
        if (_parentDue < Now - ParentTakes - TimeSpan.FromDays(1))
            _parentDue = Now + _random.NextDouble() * ParentTakes;
        if (Now < _parentDue) return;
        _parentDue = default;
        (_parent, _parentTtl) = (_served.Cds, DsTtl);
        _caches.Delegate(_parent, _parentTtl, Now);
        Log.Add($"{Now:u} parent has {_parent}");
    }

    private ParentDs Seen() => new(_parent, _parentTtl);

    private void Check()
    {
        if (_caches.FindBogus(Now) is { } bogus)
            Assert.Fail($"{Now:u}: {bogus}\n{string.Join('\n', Log.TakeLast(60))}");
    }
}
