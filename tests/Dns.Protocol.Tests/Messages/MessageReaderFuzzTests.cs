using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

/// <summary>The reader against a plain walk, over good messages, mutated ones and junk.</summary>
public class MessageReaderFuzzTests
{
    private const int Cases = 4_000;

    private static void ForAllSeeds(Action<int> check) =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), check)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(Cases));

    [Fact]
    public void Written_messages_are_read_whole() =>
        ForAllSeeds(seed => Assert.True(Compare(new MessageGenerator(seed).Next())));

    [Fact]
    public void Mutated_messages_are_read_like_the_plain_walk() =>
        ForAllSeeds(seed => Compare(new MessageGenerator(seed).NextMutated()));

    [Fact]
    public void Junk_is_read_like_the_plain_walk() =>
        ForAllSeeds(seed => Compare(new MessageGenerator(seed).NextJunk()));

    [Fact]
    public void Octets_at_random_never_throw() => ForAllSeeds(seed =>
    {
        Random random = new(seed);
        byte[] octets = new byte[random.Next(200)];
        random.NextBytes(octets);
        if (MessageReader.TryOpen(octets, out MessageReader message)) ReadAll(message.ReadRecords());
        ReadAll(new RecordReader(octets, random.Next(octets.Length + 1), random.Next(9)));
        ReadAll(RecordReader.OfDetached(octets, random.Next(9), random.Next(1, 300)));
        EdnsOptionReader options = new(octets);
        while (options.TryRead()) { }
    });

    [Fact]
    public void Every_start_of_a_message_is_read_like_the_plain_walk()
    {
        byte[] octets = new MessageGenerator(7).Next();
        for (int length = 12; length <= octets.Length; length++)
            Assert.Equal(length == octets.Length, Compare(octets[..length]));
    }

    private static bool Compare(byte[] octets)
    {
        PlainMessage plain = new(octets);
        Assert.True(MessageReader.TryOpen(octets, out MessageReader message));
        foreach (var (name, type, rrClass) in plain.Questions)
        {
            Assert.True(message.TryReadQuestion(out QuestionReader question));
            Assert.Equal((name, type, rrClass), (question.NameOffset, (int)question.Type, (int)question.Class));
        }
        RecordReader records = message.ReadRecords();
        foreach (PlainMessage.Record expected in plain.Records)
        {
            Assert.True(records.TryRead());
            Assert.Equal(expected, new PlainMessage.Record((int)records.Section, records.OwnerOffset, (int)records.Type,
                (int)records.Class, records.Ttl, records.RdataOffset, records.RdataOctets, records.Left == 0));
            Touch(in records);
        }
        Assert.False(records.TryRead());
        Assert.Equal(plain.IsWhole, records.IsAtEnd);
        message.TryFindOpt(out OptReader opt);
        while (opt.Options.TryRead() && opt.TryFind((EdnsOptionCode)ushort.MaxValue, out _)) { }
        Assert.Equal(
            plain.Records.Find(record => record.IsLast) is { Section: 3, Type: (int)RRType.TSIG } last
            ? last.Owner : 0, message.TryFindTsig(out int tsig) ? tsig : 0);
        return plain.IsWhole;
    }

    private static void ReadAll(RecordReader records)
    {
        while (records.TryRead()) Touch(in records);
    }

    private static void Touch(in RecordReader records)
    {
        LookupName name = default;
        byte[] room = new byte[Rdata.MaxOctets];
        bool isOwner = records.TryExpandOwner(room, out int octets);
        Assert.Equal(isOwner, records.TryReadOwner(ref name));
        if (isOwner)
            Assert.True(records.IsOwner(in name) && WireName.EqualsIgnoreCase(room.AsSpan(0, octets), name.Octets));
        records.TryReadRdata(room, out _);
        records.TryReadTarget(ref name);
        Assert.InRange(records.TtlOffset, records.OwnerOffset, records.Position);
        _ = (records.IsOwnerPointerToQuestion, records.IsOwnerRoot, records.Rdata.Length);
    }
}
