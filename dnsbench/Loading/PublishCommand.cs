using System.Diagnostics;
using System.Globalization;

namespace Dns.Bench;

/// <summary>The command <c>publish</c>: milliseconds until one changed zone of many is served.</summary>
internal static class PublishCommand
{
    private const int Seed = 9432;

    internal static BenchCommand Command { get; } = new(
        "publish", "milliseconds to load one changed zone of many and to publish it",
        new OptionSet(
            ("zones", "100000", "zones of 8 records that are served"),
            ("changes", "2000", "zones changed, one after the other, drawn at random"),
            ("out", "", "also write the Markdown to this file")),
        Run);

    private static Task<int> Run(OptionValues options)
    {
        int zones = Math.Max(1, options.Int("zones")), changes = Math.Max(1, options.Int("changes"));
        using TemporaryFolder folder = new();
        (ZoneSlot Slot, string File)[] all = [.. Enumerable.Range(0, zones).Select(i => Load(i, folder))];
        PublishedZones published = new();
        published.Publish(ZoneSet.Create([.. all.Select(one => one.Slot)]));
        List<double> milliseconds = [];
        Random random = new(Seed);
        for (int serial = 2; serial < changes + 2; serial++)
            milliseconds.Add(Change(all[random.Next(zones)], serial, published));
        milliseconds.Sort();
        Report report = new(options["out"]);
        report.Line(string.Create(
            CultureInfo.InvariantCulture, $"### One of {zones:N0} zones changed and published, {changes:N0} times\n"));
        report.Line("From the changed file to the answer: read, checked, built, published.\n");
        report.Line("| median ms | 99 per cent below | longest |\n| ---: | ---: | ---: |");
        report.Line(string.Create(CultureInfo.InvariantCulture,
            $"| {milliseconds[changes / 2]:F3} | {milliseconds[changes * 99 / 100]:F3} | {milliseconds[^1]:F3} |"));
        return Task.FromResult(0);
    }

    private static (ZoneSlot Slot, string File) Load(int number, TemporaryFolder folder)
    {
        string apex = $"zone{number:D6}.test", file = folder.File(apex + ".zone");
        LoadingCase.WriteSmall(file, serial: 1);
        ZoneSlot slot = new(DomainName.Parse(apex));
        slot.Publish(BenchZone.LoadFile(apex, file));
        return (slot, file);
    }

    /// <summary>Changes a file and times what follows until the set of zones has the new serial.</summary>
    private static double Change((ZoneSlot Slot, string File) one, int serial, PublishedZones published)
    {
        LoadingCase.WriteSmall(one.File, serial);
        long began = Stopwatch.GetTimestamp();
        one.Slot.Publish(ZoneLoader.Load(one.Slot.Name, one.File).Zone!);
        double milliseconds = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        if (published.Current.FindExact(one.Slot.Name)?.Zone?.Serial != serial)
            throw new InvalidDataException("an old zone is served");
        return milliseconds;
    }
}
