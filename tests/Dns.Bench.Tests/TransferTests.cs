using System.Text;
using Xunit;

namespace Dns.Bench.Tests;

/// <summary>The zone, the changes and the options of the command <c>transfer</c>.</summary>
public class TransferTests
{
    [Theory]
    [InlineData(0, 5)]
    [InlineData(10, 28)]
    [InlineData(100_000, 230_005)]
    public void A_zone_has_23_records_for_each_10_delegations(int delegations, long records)
    {
        using LineSink text = new();
        Assert.Equal(records, TldText.Write(text, delegations));
        // $ORIGIN and $TTL are no records.
        Assert.Equal(records + 2, text.Lines);
    }

    [Fact]
    public void Each_delegation_has_a_name_of_its_own()
    {
        const int delegations = 20_000;
        StringWriter text = new();
        TldText.Write(text, delegations);
        IEnumerable<string> cuts = text.ToString().Split('\n')
            .Select(line => line.Split(' '))
            .Where(words => words.Length > 1 && words[1] == "NS" && words[0] != "@").Select(words => words[0]);
        Assert.Equal(delegations, cuts.Distinct().Count());
    }

    [Fact]
    public void A_zone_is_written_a_few_lines_at_a_time()
    {
        using LineSink text = new();
        TldText.Write(text, 1000);
        Assert.InRange(text.LongestWrite, 1, 256);
    }

    [Theory]
    [InlineData("out,both")]
    [InlineData(",")]
    public void A_kind_that_there_is_none_of_is_refused(string kinds) =>
        Assert.Contains("out, in, ixfr",
            Assert.Throws<UsageException>(() => TransferCommand.ReadKinds(Read("--kinds", kinds))).Message);

    [Fact]
    public void Kinds_are_a_list_and_out_without_it()
    {
        Assert.Equal(["out"], TransferCommand.ReadKinds(Read()));
        Assert.Equal(["in", "ixfr"], TransferCommand.ReadKinds(Read("--kinds", "in,ixfr")));
    }

    [Fact]
    public void Thirty_five_million_records_are_a_count_of_delegations() =>
        Assert.Equal(15_217_390, Read("--delegations", "15,217,390").Int("delegations"));

    [Fact]
    public void A_change_takes_five_addresses_out_and_puts_five_in()
    {
        byte[] room = new byte[2048];
        int octets = ChangeStream.WriteMessage(room, new Random(1), names: 100);
        Assert.True(MessageReader.TryOpen(room.AsSpan(0, octets), out MessageReader message));
        List<(string Owner, RRClass Class)> changes = [];
        RecordReader records = message.ReadRecords();
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        while (records.TryRead())
        {
            Assert.True(records.TryExpandOwner(owner, out int length));
            changes.Add((Convert.ToHexString(owner[..length]), records.Class));
        }
        Assert.True(records.IsAtEnd);
        Assert.Equal(ChangeStream.Names, changes.Where(change => change.Class == RRClass.ANY).Distinct().Count());
        Assert.Equal(ChangeStream.Names, changes.Where(change => change.Class == RRClass.IN).Distinct().Count());
    }

    [Fact]
    public void Only_servers_that_can_be_a_secondary_are_asked_to()
    {
        Assert.All(SecondaryTable.Names,
            name => Assert.Equal(name, SecondaryTable.Of(PeerTable.Find(name), 5353).Name));
        Assert.Throws<UsageException>(() => SecondaryTable.Of(PeerTable.Find("unbound"), 5353));
    }

    private static OptionValues Read(params string[] typed) =>
        new(TransferCommand.Options.ToCommand("transfer", "").Parse(typed));

    /// <summary>Counts lines without storing them.</summary>
    private sealed class LineSink : TextWriter
    {
        internal long Lines { get; private set; }

        internal int LongestWrite { get; private set; }

        public override Encoding Encoding => Encoding.ASCII;

        public override void Write(char value) => throw new NotSupportedException("a line at a time");

        public override void WriteLine(string? value)
        {
            Lines += value!.Split('\n').Length;
            LongestWrite = Math.Max(LongestWrite, value.Length);
        }
    }
}
