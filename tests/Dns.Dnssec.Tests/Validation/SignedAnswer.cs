using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>A reply that a test puts together, with signatures by whatever key in whatever name.</summary>
internal sealed class SignedAnswer(string name, RRType type)
{
    private readonly List<byte[]>[] _sections = [[], [], [], []];

    public DomainName Name { get; } = DomainName.Parse(name);

    public RRType Type => type;

    /// <summary>The message.</summary>
    public byte[] Octets =>
    [
        0, 1, 0x84, 0, 0, 1, .. WireOctets.UInt16(_sections[1].Count), .. WireOctets.UInt16(_sections[2].Count), 0, 0,
        .. WireOctets.Question(name, type), .. _sections.SelectMany(section => section).SelectMany(record => record),
    ];

    /// <summary>Adds a record without a signature.</summary>
    public void Add(MessageSection section, string owner, RRType recordType, string text) =>
        _sections[(int)section].Add(WireOctets.Record(owner, recordType, 1, 60, SignedText.Rdata(recordType, text)));

    /// <summary>Adds a record with a signature that is good as far as the key goes.</summary>
    public void Sign(
        MessageSection section, string owner, RRType recordType, string text, SigningKey key, string signer,
        int? labels = null)
    {
        Add(section, owner, recordType, text);
        byte[] ownerOctets = WireOctets.Name(owner), rdata = new byte[400];
        int counted = labels ?? CanonicalRRset.LabelsOf(ownerOctets);
        CanonicalRRset canonical = new();
        Assert.True(canonical.TryBegin(ownerOctets, recordType, 60, counted));
        canonical.Add(SignedText.Rdata(recordType, text));
        canonical.End();
        uint now = RrsigFields.SecondsOf(Plans.Now);
        int prefix = RrsigFields.WritePrefix(rdata, recordType, key.Public, counted, 60, now - 60, now + 60,
            WireOctets.Name(signer));
        Assert.True(key.TrySign(canonical.SignedData(rdata.AsSpan(0, prefix)), rdata.AsSpan(prefix), out int octets));
        _sections[(int)section].Add(WireOctets.Record(owner, RRType.RRSIG, 1, 60, rdata[..(prefix + octets)]));
    }
}
