namespace Dns.Bench;

/// <summary>The zone of <see cref="ZoneText"/> loaded by the real loader, and responders over it.</summary>
internal static class BenchZone
{
    internal const int DefaultNames = 100_000;

    private const int Edits = 4;
    private const int SignedNames = 2_000;
    private const int SignedOnDay = 20_000;

    private static readonly Dictionary<int, Zone> Loaded = [];

    /// <summary>The zone with this many names; loaded once.</summary>
    internal static Zone Load(int names)
    {
        if (Loaded.TryGetValue(names, out Zone? zone)) return zone;
        string file = Path.Combine(Path.GetTempPath(), $"dnsbench-{Environment.ProcessId}-{names}.zone");
        try
        {
            ZoneText.Write(file, names);
            return Loaded[names] = LoadFile(ZoneText.Apex, file);
        }
        finally
        {
            File.Delete(file);
        }
    }

    /// <summary>A responder over a zone of some names, signed with ECDSA P-256.</summary>
    /// <param name="denial">NSEC or NSEC3.</param>
    internal static Responder Signed(DenialPlan denial)
    {
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
        SigningPlan plan = new() { Published = [key.Public], KeySigners = [key], ZoneSigners = [key], Denial = denial };
        DateTimeOffset now = DateTimeOffset.UnixEpoch.AddDays(SignedOnDay);
        SigningResult result = ZoneSigner.SignWhole(Load(SignedNames), plan, now, new SigningOptions());
        return Responder(result.Zone ?? throw new InvalidDataException(result.Error));
    }

    /// <summary>Questions with DO for the zone of <see cref="Signed"/>.</summary>
    internal static AnswerLoop SignedLoop(Responder responder, string mix, int queries) =>
        new(responder, QueryMix.Draw(mix, SignedNames, queries), edns: true, dnssecOk: true);

    /// <summary>Loads a master file.</summary>
    internal static Zone LoadFile(string apex, string file)
    {
        ZoneLoadResult result = ZoneLoader.Load(DomainName.Parse(apex), file);
        return result.Zone ?? throw new InvalidDataException(string.Join('\n', result.Diagnostics));
    }

    /// <summary>The same records in a version edited until it owned every page of its name table.</summary>
    internal static Zone Edited(Zone zone)
    {
        DomainName name = DomainName.FromOctets(zone.Apex);
        for (int remainder = 0; remainder < Edits; remainder++)
        {
            ZoneDeltaBuilder delta = new(name, zone.Serial);
            int skipped = 0;
            foreach (ZoneNode node in zone)
            {
                // Each edit changes another remainder of the names: few edits would leave pages as they were built.
                if (skipped++ % Edits != remainder || !node.TryFind(RRType.A, out RRset rrset)) continue;
                delta.Remove(node.Name, RRType.A, rrset.First);
                delta.Add(node.Name, RRType.A, rrset.Ttl, rrset.First);
            }
            zone = ZoneEditor.From(zone).Apply(delta.Build()).Zone!;
        }
        return zone;
    }

    /// <summary>A responder over the zone of this many names.</summary>
    internal static Responder Responder(int names) => Responder(Load(names));

    /// <summary>A responder over a zone, with the server's own defaults.</summary>
    internal static Responder Responder(Zone zone)
    {
        ZoneSlot slot = new(DomainName.FromOctets(zone.Apex));
        slot.Publish(zone);
        return Responder(slot);
    }

    /// <summary>A responder over one place for a zone, which may be empty.</summary>
    internal static Responder Responder(ZoneSlot slot) => Responder(slot, new ResponderOptions());

    /// <summary>A responder over one place for a zone, with options.</summary>
    internal static Responder Responder(ZoneSlot slot, ResponderOptions options)
    {
        PublishedZones published = new();
        published.Publish(ZoneSet.Create([slot]));
        return new Responder(published, options);
    }

    /// <summary>A client that may ask.</summary>
    internal static ClientAddress Client()
    {
        ClientAddress client = default;
        client.SetIPv4([127, 0, 0, 1]);
        client.Port = 5300;
        return client;
    }

    /// <summary>A zone from a few lines of text, for answers of a special shape.</summary>
    internal static Zone Small(string apex, string text)
    {
        string file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, text);
            return LoadFile(apex, file);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
