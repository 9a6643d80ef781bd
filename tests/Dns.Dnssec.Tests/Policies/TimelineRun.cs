namespace Dns.Dnssec.Tests;

/// <summary>
/// A zone whose plans are carried out at once, with keys that are numbered, to say when each thing happens.
/// </summary>
internal sealed class TimelineRun(DnssecPolicy policy)
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private ushort _tag;

    public DnssecPolicy? Policy { get; set; } = policy;

    public DateTimeOffset Now { get; private set; } = Start;

    public TimeSpan Elapsed => Now - Start;

    public ZoneKeys Keys { get; set; } = ZoneKeys.Empty;

    public KeyStep Last { get; private set; } = new(ZoneKeys.Empty, new KeyPlan());

    public ServedKeys Served { get; set; } = ServedKeys.Unsigned with { KeysTtl = KeysTtl, LongestTtl = LongestTtl };

    /// <summary>The key sets of an offline KSK.</summary>
    public IReadOnlyList<SlotKeys> Slots { get; init; } = [];

    /// <summary>The start of the key set that is served, in seconds; null = none.</summary>
    public double? Slot => (Keys.Slot - Start)?.TotalSeconds;

    public static TimeSpan KeysTtl => TimeSpan.FromSeconds(100);

    public static TimeSpan LongestTtl => TimeSpan.FromSeconds(1000);

    /// <summary>Whether old signatures stay until <see cref="RenewSignatures"/>.</summary>
    public bool RenewsLater { get; set; }

    /// <summary>What happened, each with its time since the start in seconds.</summary>
    public List<string> Events { get; } = [];

    public int Notifications { get; private set; }

    /// <summary>Takes steps at this moment until nothing changes.</summary>
    public TimelineRun Settle(ParentDs? parent = null, TimeSpan jump = default)
    {
        for (int i = 0; i < 20; i++)
        {
            ZoneKeys before = Keys;
            ZoneFacts facts = new(Served) { Parent = parent, Slots = Slots };
            Last = KeyRollover.Step(Policy, Keys, facts, Now, jump);
            (Keys, jump) = (Last.Keys, TimeSpan.Zero);
            foreach (KeyNeed need in Last.Needs)
                Keys = Keys.With(new KeyRecord(new KeyId(need.Algorithm, ++_tag), need.Role, Now));
            Events.AddRange(Last.Events.Select(line => $"{Elapsed.TotalSeconds:0} {KeyText.Of(line)}"));
            if (Last.NotifiesParent) Notifications++;
            IReadOnlyList<KeyIds> old = RenewsLater ? Served.SignerSets : [];
            ServedKeys next = ServedKeys.Of(Last.Plan, KeysTtl, LongestTtl);
            Served = next with { SignerSets = [.. old.Append(Last.Plan.ZoneSigners).Distinct()] };
            if (Last.Needs.Count == 0 && KeyStateText.Format(before) == KeyStateText.Format(Keys)) return this;
        }
        throw new InvalidOperationException("it does not come to rest");
    }

    /// <summary>The parent follows CDS, and is queried.</summary>
    public TimelineRun SettleParent() => Settle(new ParentDs(Keys.WantedDs, TimeSpan.FromSeconds(3000)));

    public TimelineRun RenewSignatures()
    {
        Served = Served with { SignerSets = [Last.Plan.ZoneSigners] };
        return Settle();
    }

    /// <summary>Advances to the due time of the last step.</summary>
    public TimelineRun Next()
    {
        Now = Last.Next ?? throw new InvalidOperationException("nothing is to come: " + string.Join("; ", Last.Waits));
        return Settle();
    }

    public TimelineRun Wait(double seconds)
    {
        Now += TimeSpan.FromSeconds(seconds);
        return Settle();
    }

    public KeyState StateOf(ushort tag) => KeyStates.Of(Keys, Keys.Keys.Single(key => key.Id.Tag == tag));

    /// <summary>A key set of times since the start in seconds: a KSK with tag 1, and ZSKs.</summary>
    public static SlotKeys SlotOf(double start, double end, params ushort[] zsks)
    {
        KeyId IdOf(ushort tag) => new(DnssecAlgorithm.EcdsaP256Sha256, tag);
        return new SlotKeys(Start.AddSeconds(start), Start.AddSeconds(end), [.. zsks.Select(IdOf)],
            KeyIds.Of([IdOf(1)]), KeyIds.None);
    }

    /// <summary>The wall clock is set.</summary>
    public void Set(double seconds) => Now += TimeSpan.FromSeconds(seconds);
}
