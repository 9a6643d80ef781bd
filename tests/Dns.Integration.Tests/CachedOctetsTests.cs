using System.Runtime.CompilerServices;
using System.IO.Compression;
using System.Text.Json;
using Dns.Testing;
using Xunit;

namespace Dns.Integration.Tests;

/// <summary>
/// Ready octets against the encoder, over the zones and questions recorded from other servers where these are at hand
/// (<c>../shared/acceptance</c> beside the repository).
/// </summary>
public sealed class CachedOctetsTests : IDisposable
{
    private static readonly string Recorded = Path.Combine(Root(), "..", "shared", "acceptance", "open");

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-ready-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [RecordedDataFact]
    public void Ready_octets_are_those_of_the_encoder_over_the_recorded_zones()
    {
        PublishedZones zones = new();
        List<ZoneSlot> slots = [.. Lines("ferret-zones.jsonl.gz").Concat(Lines("dnssec-zones.jsonl.gz")).Select(Load)];
        zones.Publish(ZoneSet.Create(slots));
        int questions = Compare(zones, [.. Lines("ferret-tests.jsonl.gz"), .. Lines("dnssec-tests.jsonl.gz")]);
        Assert.True(questions > 5000, $"only {questions} questions were compared");
    }

    [RecordedDataFact]
    public void Ready_octets_of_the_root_are_those_of_the_encoder()
    {
        string file = Path.Combine(_folder, "root.zone");
        using (Stream packed = OpenPacked("root-2017082100.zone.gz"))
        using (FileStream plain = File.Create(file)) packed.CopyTo(plain);
        ZoneSlot root = new(DomainName.Root);
        root.Publish(ZoneLoader.Load(root.Name, file).Zone!);
        PublishedZones zones = new();
        zones.Publish(ZoneSet.Create([root]));
        Assert.True(Compare(zones, [.. Lines("rootq-tests.jsonl.gz")]) >= 600);
    }

    /// <summary>
    /// Asks each question as recorded, for a type that nothing has, and for a name that does not exist.
    /// </summary>
    private static int Compare(PublishedZones zones, List<JsonElement> tests)
    {
        Responder ready = new(zones, new ResponderOptions());
        Responder encoded = new(zones, new ResponderOptions { UseCachedOctets = false });
        int compared = 0;
        foreach (JsonElement test in tests)
        {
            string name = test.GetProperty("qname").GetString()!;
            RRTypeText.TryParse(System.Text.Encoding.ASCII.GetBytes(test.GetProperty("qtype").GetString()!),
                out RRType type);
            foreach (string asked in new[] { name, "ns1." + name, "NS1.x." + name })
            {
                CompareOne(encoded, ready, asked, type);
                CompareOne(encoded, ready, asked, RRType.LOC);
            }
            compared++;
        }
        return compared;
    }

    /// <summary>
    /// Queries repeatedly: an answer with hosts is cached when it is encoded for the second time, and then copied.
    /// </summary>
    private static void CompareOne(Responder encoded, Responder ready, string name, RRType type)
    {
        foreach (bool dnssecOk in new[] { false, true })
        {
            string expected = Ask(encoded, name, type, dnssecOk);
            for (int i = 0; i < 3; i++) Assert.Equal(expected, Ask(ready, name, type, dnssecOk));
        }
    }

    private static string Ask(Responder responder, string name, RRType type, bool dnssecOk)
    {
        byte[] message = new byte[1232];
        message[5] = 1;
        Span<byte> wire = stackalloc byte[WireName.MaxOctets];
        if (!NameText.TryParse(name, wire, out int length)) return "name too long";
        wire[..length].CopyTo(message.AsSpan(12));
        message[12 + length] = (byte)((int)type >> 8);
        message[13 + length] = (byte)type;
        message[15 + length] = (byte)RRClass.IN;
        if (dnssecOk)
        {
            message[11] = 1;
            // OPT with room for 1232 octets and DO.
            ReadOnlySpan<byte> opt = [0, 0, 41, 0x04, 0xD0, 0, 0, 0x80, 0, 0, 0];
            opt.CopyTo(message.AsSpan(16 + length));
        }
        ClientAddress client = new() { Port = 1053 };
        int query = 16 + length + (dnssecOk ? 11 : 0);
        int octets = responder.Respond(message, query, DnsTransport.Udp, ref client);
        return Convert.ToHexString(message, 0, octets);
    }

    private ZoneSlot Load(JsonElement zone)
    {
        ZoneSlot slot = new(DomainName.Parse(zone.GetProperty("zone").GetString()!));
        string file = Path.Combine(_folder, "one.zone");
        File.WriteAllText(file, zone.GetProperty("text").GetString());
        ZoneLoadResult loaded = ZoneLoader.Load(slot.Name, file);
        Assert.True(loaded.Zone is not null, string.Join('\n', loaded.Diagnostics));
        slot.Publish(loaded.Zone);
        return slot;
    }

    private static IEnumerable<JsonElement> Lines(string name)
    {
        using StreamReader reader = new(OpenPacked(name));
        while (reader.ReadLine() is { } line) yield return JsonSerializer.Deserialize<JsonElement>(line);
    }

    private static GZipStream OpenPacked(string name) =>
        new(File.OpenRead(Path.Combine(Recorded, name)), CompressionMode.Decompress);

    private static string Root()
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Dns.sln"))) folder = Path.GetDirectoryName(folder)!;
        return folder;
    }

    /// <summary>Skipped, with a message, without the recorded answers beside the repository.</summary>
    private sealed class RecordedDataFactAttribute : FactAttribute
    {
        public RecordedDataFactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
            : base(file, line)
        {
            if (!Directory.Exists(Recorded)) Skip = "the recorded answers are not beside this repository";
        }
    }
}
