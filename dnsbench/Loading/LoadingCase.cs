using System.Globalization;

namespace Dns.Bench;

/// <summary>Zones to be loaded.</summary>
/// <param name="Name">What it is called in options.</param>
/// <param name="Title">What it is called in tables.</param>
/// <param name="Records">Records of all zones.</param>
/// <param name="Zones">The zones and their files.</param>
/// <param name="Asked">Zones that have to answer, in this order: the last, then a sample when there are many.</param>
internal sealed record LoadingCase(
    string Name, string Title, long Records, IReadOnlyList<(string Name, string File)> Zones,
    IReadOnlyList<string> Asked)
{
    private const int MillionNames = 1_000_000;
    private const int TenMillionNames = 2_500_000;
    private const int SignedNames = 100_000;
    private const int ManyZones = 100_000;
    private const int RecordsPerZone = 8;
    private const int SampleZones = 500;
    private const int Ttl = 3600;
    private const int Seed = 1034;
    private const string Apex = "load.test";

    /// <summary>Writes the files of a case.</summary>
    internal static LoadingCase Prepare(string name, int scale, TemporaryFolder folder) => name switch
    {
        "1m" => One(name, MillionNames / scale, isRich: false, folder),
        "1m-random" => One(name, MillionNames / scale, isRich: false, folder, isRandom: true),
        "10m" => One(name, TenMillionNames / scale, isRich: true, folder),
        "signed" => Signed(name, SignedNames / scale, folder),
        "signed-1m" => Signed(name, MillionNames / scale, folder),
        "many" => Many(name, ManyZones / scale, folder),
        "examples" => Examples(name),
        _ => throw new UsageException(
            $"no case \"{name}\"; there is 1m, 1m-random, 10m, signed, signed-1m, many, examples"),
    };

    /// <summary>A zone of SOA, NS and addresses alone.</summary>
    internal static LoadingCase Bare(TemporaryFolder folder) => One("bare", 0, isRich: false, folder);

    /// <summary>The signed zone of <c>peers</c>, NSEC and ECDSA P-256.</summary>
    private static LoadingCase Signed(string name, int names, TemporaryFolder folder)
    {
        string plain = folder.File("plain.zone");
        ZoneText.Write(plain, names, Ttl);
        string file = ZoneSigning.Sign(plain, folder);
        long records = BenchZone.LoadFile(ZoneText.Apex, file).RecordCount;
        string title = string.Create(CultureInfo.InvariantCulture,
            $"One signed zone of {records:N0} records, {names:N0} names, {new FileInfo(file).Length / 1e6:F0} MB");
        return new LoadingCase(name, title, records, [(ZoneText.Apex, file)], [ZoneText.Apex]);
    }

    /// <summary>The zones that come with the program.</summary>
    private static LoadingCase Examples(string name)
    {
        (string Name, string File)[] zones =
            [.. Directory.GetFiles(Path.Combine(Workspace.Root, "zones"), "*.zone").Order()
            .Select(file => (Path.GetFileNameWithoutExtension(file), file))];
        long records = zones.Sum(zone => (long)BenchZone.LoadFile(zone.Name, zone.File).RecordCount);
        return new LoadingCase(name, $"The example zones, {records} records", records, zones,
            [.. zones.Select(zone => zone.Name)]);
    }

    /// <summary>SOA, two NS, two A of theirs, and one A or A, AAAA, MX and TXT for each name.</summary>
    private static LoadingCase One(string name, int names, bool isRich, TemporaryFolder folder, bool isRandom = false)
    {
        int[] order = [.. Enumerable.Range(0, names)];
        if (isRandom) new Random(Seed).Shuffle(order);
        string file = folder.File("load.zone");
        using (StreamWriter text = new(file) { NewLine = "\n" })
        {
            text.WriteLine($"$ORIGIN {Apex}.\n$TTL 3600\n@ IN SOA ns1 hostmaster 1 3600 600 86400 300");
            text.WriteLine("@ IN NS ns1\n@ IN NS ns2\nns1 IN A 192.0.2.1\nns2 IN A 192.0.2.2");
            foreach (int number in order) WriteHost(text, number, isRich);
        }
        long records = 5 + (long)names * (isRich ? 4 : 1);
        double megabytes = new FileInfo(file).Length / 1e6;
        string title = string.Create(
            CultureInfo.InvariantCulture,
            $"One zone of {records:N0} records, {names:N0} names{(isRandom ? " in random order" : "")}, " +
                $"{megabytes:F0} MB");
        return new LoadingCase(name, title, records, [(Apex, file)], [Apex]);
    }

    private static void WriteHost(StreamWriter text, int number, bool isRich)
    {
        string address =
            string.Create(CultureInfo.InvariantCulture, $"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}");
        if (!isRich)
        {
            text.WriteLine($"host{number:D7} IN A {address}");
            return;
        }
        text.WriteLine($"host{number:D7} 3600 IN A {address}");
        text.WriteLine($"host{number:D7} 3600 IN AAAA 2001:db8::{number >> 16:x}:{number & 0xFFFF:x}");
        text.WriteLine($"host{number:D7} 3600 IN MX 10 host{number / 10:D7}");
        text.WriteLine($"host{number:D7} 3600 IN TXT \"some text of host {number:D7}\"");
    }

    private static LoadingCase Many(string name, int zones, TemporaryFolder folder)
    {
        string zoneFolder = Directory.CreateDirectory(folder.File("zones")).FullName;
        List<(string Name, string File)> all = [];
        for (int i = 0; i < zones; i++)
        {
            string apex = $"zone{i:D6}.test", file = Path.Combine(zoneFolder, apex + ".zone");
            WriteSmall(file, serial: 1);
            all.Add((apex, file));
        }
        int step = Math.Max(1, zones / SampleZones);
        List<string> asked =
            [all[^1].Name, .. Enumerable.Range(0, zones).Where(i => i % step == 0).Select(i => all[i].Name)];
        string title = string.Create(
            CultureInfo.InvariantCulture, $"{zones:N0} zones of {RecordsPerZone} records, start to the last answered");
        return new LoadingCase(name, title, (long)zones * RecordsPerZone, all, asked);
    }

    /// <summary>Writes the file of a zone of 8 records.</summary>
    internal static void WriteSmall(string file, int serial) => File.WriteAllText(file, $"""
        $TTL 3600
        @ IN SOA ns1 hostmaster {serial} 3600 600 86400 300
        @ IN NS ns1
        @ IN NS ns2
        @ IN A 192.0.2.1
        ns1 IN A 192.0.2.1
        ns2 IN A 192.0.2.2
        www IN A 192.0.2.3
        mail IN A 192.0.2.4

        """);
}
