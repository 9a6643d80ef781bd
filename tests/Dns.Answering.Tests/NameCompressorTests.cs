using System.Runtime.CompilerServices;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

public class NameCompressorTests
{
    private readonly byte[] _message = new byte[0x5000];
    private NameCompressor _names;
    private LookupName _question;
    private int _position;

    public NameCompressorTests()
    {
        _question.Set(WireOctets.Name("www.example.test"));
        _question.Octets.CopyTo(_message.AsSpan(MessageHeader.LengthOctets));
        _position = MessageHeader.LengthOctets + _question.Length + 4;
        _names.Reset();
    }

    [Fact]
    public void Every_suffix_of_the_question_can_be_pointed_to()
    {
        Assert.Equal((12, 0), Find("www.example.test"));
        Assert.Equal((16, 1), Find("mail.example.test"));
        Assert.Equal((24, 1), Find("other.test"));
    }

    [Fact]
    public void The_end_of_a_question_with_very_many_labels_can_be_pointed_to()
    {
        _question.Set(WireOctets.Name(string.Join('.', Enumerable.Repeat("k", 120)) + ".test"));
        _question.Octets.CopyTo(_message.AsSpan(MessageHeader.LengthOctets));
        Assert.Equal((12 + 240, 1), Find("ns.test"));
    }

    [Fact]
    public void A_name_is_found_in_any_spelling() => Assert.Equal((12, 0), Find("WWW.Example.TEST"));

    [Fact]
    public void A_name_that_shares_nothing_is_not_found() => Assert.Equal((-1, 2), Find("other.org"));

    [Fact]
    public void A_name_that_was_written_is_found()
    {
        int at = Write("ns.other.org");
        Assert.Equal((at, 0), Find("ns.other.org"));
        Assert.Equal((at + 3, 1), Find("mx.other.org"));
    }

    [Fact]
    public void A_name_of_the_same_hash_is_not_pointed_to()
    {
        byte[][] colliding = CollidingNames.Make(2);
        LookupName written = default, other = default;
        written.Set(colliding[0]);
        other.Set(colliding[1]);
        Assert.Equal(-1, _names.Find(_message, in _question, in written, out _));
        written.Octets.CopyTo(_message.AsSpan(_position));
        _names.Add(written.SuffixHash(0), _position);
        Assert.Equal(_position, _names.Find(_message, in _question, in written, out _));
        Assert.Equal(-1, _names.Find(_message, in _question, in other, out _));
    }

    [Fact]
    public void A_name_that_was_taken_back_is_forgotten()
    {
        int kept = Write("ns.other.org");
        int undone = Write("ns.gone.net");
        _names.Forget(undone);
        Assert.Equal((-1, 3), Find("ns.gone.net"));
        Assert.Equal((kept, 0), Find("ns.other.org"));
        Assert.Equal((12, 0), Find("www.example.test"));
    }

    [Fact]
    public void Names_taken_back_by_the_hundred_leave_the_others_to_be_found()
    {
        int kept = Write("keep.org");
        for (int round = 0; round < 300; round++)
        {
            int before = _position;
            for (int i = 0; i < 20; i++) Write($"n{i}.r{round}.net");
            _names.Forget(before);
            _position = before;
        }
        Assert.Equal((kept, 0), Find("keep.org"));
        Assert.Equal((-1, 3), Find("n1.r5.net"));
    }

    [Fact]
    public void Behind_the_reach_of_a_pointer_nothing_is_remembered()
    {
        _position = NameCompressor.MaxOffset - 3;
        int at = Write("far.org");
        Assert.Equal((at, 0), Find("far.org"));
        Assert.Equal((-1, 2), Find("near.org"));
    }

    [Fact]
    public void A_full_table_still_finds_the_early_names()
    {
        int first = Write("first.org");
        for (int i = 0; i < 500; i++) Write($"n{i}.net{i}");
        Assert.Equal((first, 0), Find("first.org"));
        Assert.Equal((-1, 2), Find("n499.net499"));
    }

    [Fact]
    public void A_reset_forgets_all_but_the_question()
    {
        Write("ns.other.org");
        _names.Reset();
        Assert.Equal((-1, 3), Find("ns.other.org"));
        Assert.Equal((16, 1), Find("a.example.test"));
    }

    private (int Offset, int Skip) Find(string text)
    {
        Unsafe.SkipInit(out LookupName name);
        name.Set(WireOctets.Name(text));
        return (_names.Find(_message, in _question, in name, out int skip), skip);
    }

    /// <summary>Writes a name uncompressed and adds its new suffixes, as the response writer does.</summary>
    private int Write(string text)
    {
        Unsafe.SkipInit(out LookupName name);
        name.Set(WireOctets.Name(text));
        _names.Find(_message, in _question, in name, out int skip);
        int at = _position;
        name.Octets.CopyTo(_message.AsSpan(at));
        _position += name.Length;
        for (int i = 0; i < skip; i++) _names.Add(name.SuffixHash(i), at + name.Start(i));
        return at;
    }
}
