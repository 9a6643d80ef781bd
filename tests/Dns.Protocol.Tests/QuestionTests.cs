using Xunit;

namespace Dns.Protocol.Tests;

public class QuestionTests
{
    private static ulong Hash(string name, RRType type, QuestionFlags flags)
    {
        LookupName lookup = default;
        lookup.Set(DomainName.Parse(name).Octets);
        return new Question(in lookup, type, RRClass.IN, flags).Hash;
    }

    [Fact]
    public void Spelling_does_not_make_another_question() =>
        Assert.Equal(Hash("www.example.com.", RRType.A, 0), Hash("WWW.Example.com.", RRType.A, 0));

    [Theory]
    [InlineData("www.example.com.", RRType.AAAA, QuestionFlags.None)]
    [InlineData("ww.example.com.", RRType.A, QuestionFlags.None)]
    [InlineData("www.example.com.", RRType.A, QuestionFlags.DnssecOk)]
    [InlineData("www.example.com.", RRType.A, QuestionFlags.CheckingDisabled)]
    public void Name_type_and_flags_make_another_question(string name, RRType type, QuestionFlags flags) =>
        Assert.NotEqual(Hash("www.example.com.", RRType.A, 0), Hash(name, type, flags));
}
