using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public sealed class MasterFileLoadTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private sealed class Reports : IProgress<long>
    {
        public List<long> Values { get; } = [];

        public void Report(long value) => Values.Add(value);
    }

    [Fact]
    public void Progress_is_told_about_once_a_million_records()
    {
        var reports = new Reports();
        string file = _folder.Write("zone", ZoneFolder.Start + "$GENERATE 1-1050000 a.x. A 192.0.2.1\n");
        ZoneLoadResult result = ZoneLoader.Load(DomainName.Parse("example.com"), file, reports);
        Assert.Equal([1 << 20], reports.Values);
        Assert.Equal(1_050_002, result.RecordCount);
    }

    [Fact]
    public void Loading_can_be_cancelled()
    {
        string file = _folder.Write("zone", ZoneFolder.Start + "$GENERATE 1-16000000 a$ A 192.0.2.1\n");
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(
            () => ZoneLoader.Load(DomainName.Parse("example.com"), file, cancellation: cancelled.Token));
    }

    [Fact]
    public void Reading_a_record_allocates_nothing()
    {
        string file = _folder.Write("zone", string.Concat(Enumerable.Repeat(
            "a 1 A 192.0.2.1\n MX 10 b\nc TXT \"d\" e\\\"\n AAAA ( 2001:db8::1 ) ; f\n", 20_000)));
        var log = new DiagnosticLog();
        Assert.True(MasterFileReader.TryOpen(WireName.Root, file, log, out MasterFileReader? reader));
        using (reader)
        {
            for (int i = 0; i < 4000; i++) Assert.True(reader.Read());
            // Several buffers' worth of records each. The runtime may load a type on this thread once, when it compiles
            // anew.
            int allocating = 0;
            for (int round = 0; round < 10; round++)
            {
                long before = GC.GetAllocatedBytesForCurrentThread();
                for (int i = 0; i < 7000; i++) Assert.True(reader.Read());
                allocating += GC.GetAllocatedBytesForCurrentThread() == before ? 0 : 1;
            }
            Assert.InRange(allocating, 0, 1);
        }
    }

    [Fact]
    public void A_small_zone_is_loaded_with_little_memory()
    {
        string file = _folder.Write("zone", ZoneFolder.Start + "a A 192.0.2.1\nb A 192.0.2.2\n@ MX 10 a\n");
        DomainName apex = DomainName.Parse("example.com");
        Zone? zone = null;
        Assert.InRange(AllocatedOctets.Least(() => zone = ZoneLoader.Load(apex, file).Zone), 1, 32 << 10);
        Assert.NotNull(zone);
    }

    [Fact]
    public void A_file_that_is_replaced_by_another_while_it_is_checked_still_yields_its_diagnostics()
    {
        NodeDiagnostics diagnostics = new();
        diagnostics.Error(NodeDiagnosticKind.FirstOfName, DomainName.Parse("a.example.com").Octets, 0, "gone");
        var log = new DiagnosticLog();
        string file = _folder.Write("zone", ZoneFolder.Start);
        DiagnosticLocator.Locate(diagnostics, DomainName.Parse("example.com"), file, new FileLocation(file, 2, 1), log);
        Assert.Equal("2:1: error: gone", _folder.Describe(log.ToList()));
    }
}
