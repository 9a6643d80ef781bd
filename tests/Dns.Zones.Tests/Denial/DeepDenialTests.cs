using System.Text;
using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests.Denial;

/// <summary>Proofs by NSEC3 for names below a delegation that an opt-out chain leaves out.</summary>
public sealed class DeepDenialTests
{
    private const string Apex = "example.";
    private const int Labels = 110;

    // As signers make it that leave out the empty non-terminals above delegations without DS, too (RFC 5155 §7.1).
    private static Zone Sign(int chained)
    {
        List<string> names = [.. Enumerable.Range(0, chained + 1).Select(Name)];
        if (chained > 0) names.Add("b." + Name(chained));
        string[] labels = [.. names.Select(Hash).Order(StringComparer.Ordinal)];
        string chain = string.Join('\n', labels.Select((label, i) =>
            $"{label} 300 NSEC3 1 1 0 - {labels[(i + 1) % labels.Length]} A"));
        return ZoneText.Load(Apex, $"""
            @ 3600 SOA ns.example. host.example. 1 7200 3600 1209600 300
            @ 3600 NS ns.example.
            @ 0 NSEC3PARAM 1 0 0 -
            {Name(Labels)} 60 NS ns.elsewhere.test.
            {(chained > 0 ? $"b.{Name(chained)} 60 A 192.0.2.1" : "")}
            {chain}
            """);

        string Name(int count) => string.Concat(Enumerable.Repeat("a.", count)) + Apex;
    }

    private static string Hash(string name)
    {
        byte[] hash = new byte[Nsec3Hash.LengthOctets];
        Nsec3Hash.Compute(WireOctets.Name(name), [], 0, hash);
        return LabelOf(hash);
    }

    private static string LabelOf(byte[] hash)
    {
        byte[] label = new byte[1 + Nsec3Owner.LabelOctets];
        Nsec3Owner.Write(hash, label);
        return Encoding.ASCII.GetString(label.AsSpan(1));
    }

    private static LookupName Deep(int labels)
    {
        LookupName name = default;
        name.Set(WireOctets.Name(string.Concat(Enumerable.Repeat("a.", labels)) + Apex));
        return name;
    }

    [Theory]
    [Trait("RFC", "5155 7.2.1")]
    [InlineData(0), InlineData(1), InlineData(2), InlineData(53), InlineData(Labels - 2), InlineData(Labels - 1)]
    public void The_closest_encloser_of_a_deep_name_is_found_with_few_hashes(int chained)
    {
        Zone zone = Sign(chained);
        for (int labels = chained + 1; labels <= Labels; labels++)
        {
            LookupName name = Deep(labels), encloser = Deep(chained), closer = Deep(chained + 1);
            DenialProof proof = default;
            zone.Denial!.ProveNoData(zone, in name, 0, labels, ref proof);
            AssertProves(zone, in proof, in encloser, in closer);
            DenialProof below = default;
            LookupName missing = Deep(labels + 1);
            zone.Denial.ProveNameError(zone, in missing, 1, labels + 1, ref below);
            AssertProves(zone, in below, in encloser, in closer);
        }
    }

    private static void AssertProves(Zone zone, in DenialProof proof, in LookupName encloser, in LookupName closer)
    {
        Assert.InRange(proof.Hashes, 1, 10);
        byte[] hash = new byte[Nsec3Hash.LengthOctets], owner = new byte[Nsec3Hash.LengthOctets];
        byte[] next = new byte[Nsec3Hash.LengthOctets];
        List<string> found = [];
        for (int i = 0; i < proof.Count; i++) found.Add(NameText.ToText(proof.Node(zone, i).Name));
        Assert.Contains(Record(encloser.Octets, isThere: true), found);
        Assert.Contains(Record(closer.Octets, isThere: false), found);

        string Record(ReadOnlySpan<byte> name, bool isThere)
        {
            zone.Denial!.Parameters!.Hash(name, hash);
            Assert.True(zone.Denial.TryFindHash(zone, hash, owner, next));
            Assert.Equal(isThere, hash.AsSpan().SequenceEqual(owner));
            return $"{LabelOf(owner)}.{Apex}";
        }
    }
}
