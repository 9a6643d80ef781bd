using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

public class RdataPropertyTests
{
    private const int Cases = 25;

    public static TheoryData<RRType> Types =>
        new(Enum.GetValues<RRType>().Where(type => !Rdata.IsMeta(type)).Append((RRType)65280));

    private static void ForAllSeeds(int cases, Action<int> check) =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), check)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(cases));

    [Theory, MemberData(nameof(Types))]
    public void Rdata_survives_reading_from_a_message(RRType type) => ForAllSeeds(Cases, seed =>
    {
        byte[] rdata = new RdataGenerator(seed).Next(type), destination = new byte[Rdata.MaxOctets];
        byte[] message = [.. new byte[12], .. rdata, 0xCC];
        Assert.True(Rdata.TryRead(type, message, 12, rdata.Length, destination, out int written));
        Assert.Equal(rdata, destination[..written]);
    });

    [Theory, MemberData(nameof(Types))]
    public void Text_settles_after_one_pass(RRType type) => ForAllSeeds(Cases, seed =>
    {
        byte[] rdata = new RdataGenerator(seed).Next(type);
        string text = TextTokens.Format(type, rdata);
        byte[] again = TextTokens.Parse(type, text);
        Assert.Equal(rdata, again);
        Assert.Equal(text, TextTokens.Format(type, again));
    });

    [Theory, MemberData(nameof(Types))]
    public void Text_is_one_line_of_printable_ascii(RRType type) => ForAllSeeds(Cases / 4, seed =>
    {
        string text = TextTokens.Format(type, new RdataGenerator(seed).Next(type));
        Assert.DoesNotContain(text, letter => letter is < ' ' or > '~');
    });

    [Theory, MemberData(nameof(Types))]
    public void Octets_at_random_never_throw(RRType type) => ForAllSeeds(Cases, seed =>
    {
        byte[] octets = new RdataGenerator(seed).Octets(0, 120), destination = new byte[Rdata.MaxOctets];
        bool isValid = Rdata.IsValid(type, octets);
        TextTokens.Format(type, octets);
        Rdata.ToCanonical(type, [.. octets]);
        Rdata.TargetName(type, octets);
        Rdata.TryRead(type, octets, 0, octets.Length, destination, out _);
        Assert.True(!isValid || TextTokens.Parse(type, TextTokens.Format(type, octets)) is not null);
    });

    [Theory, MemberData(nameof(Types))]
    public void Mutated_rdata_is_refused_or_reads_back(RRType type) => ForAllSeeds(Cases, seed =>
    {
        RdataGenerator generator = new(seed);
        byte[] rdata = generator.Next(type);
        if (rdata.Length == 0) return;
        Random random = new(seed);
        for (int i = 0; i < 8; i++)
        {
            byte[] mutant = [.. rdata];
            mutant[random.Next(mutant.Length)] ^= (byte)(1 << random.Next(8));
            string text = TextTokens.Format(type, mutant);
            if (!Rdata.IsValid(type, mutant)) Assert.StartsWith(@"\# ", text);
            else Assert.Equal(text, TextTokens.Format(type, TextTokens.Parse(type, text)));
        }
    });

    [Theory, MemberData(nameof(Types))]
    public void Mutated_text_never_throws(RRType type) => ForAllSeeds(Cases, seed =>
    {
        RdataGenerator generator = new(seed);
        Random random = new(seed);
        // Octets that open or close quotes are left out: balancing those is the tokeniser's part.
        char[] text = [.. TextTokens.Format(type, generator.Next(type)).Replace('"', '\'')];
        for (int i = 0; i < 3 && text.Length > 0; i++)
            text[random.Next(text.Length)] = @" \.:/-=,!0aZ"[random.Next(12)];
        byte[]? parsed = TextTokens.Parse(type, new string(text), out RdataTextError error);
        Assert.True(parsed is null ? error.Expected.Length > 0 : Rdata.IsValid(type, parsed));
    });
}
