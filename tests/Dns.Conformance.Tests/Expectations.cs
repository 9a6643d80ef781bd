using Dns.Testing;
using Xunit;

namespace Dns.Conformance.Tests;

/// <summary>Queries to the example zones and their expected replies.</summary>
internal static class Expectations
{
    /// <summary>The SOA as a negative answer has it.</summary>
    public const string Soa =
        "authority example.test. 300 SOA ns1.example.test. host.example.test. 7 7200 3600 1209600 300";

    /// <summary>Asks over UDP for a name relative to the zone.</summary>
    public static Reply Ask(string question) => ExampleZones.Served.Ask(ExampleZones.Query(question));

    /// <summary>Whether a reply has these lines and no others.</summary>
    public static void Says(this Reply reply, params string[] lines) => Assert.Equal(lines, reply.Lines);

    /// <summary>Whether a reply is a bare header with this RCODE and only RD copied.</summary>
    public static void IsHeaderOnly(this Reply reply, string code)
    {
        Assert.Equal(12, reply.Octets.Length);
        Assert.Equal(code, reply.Header.Replace(" rd", ""));
        Assert.All(reply.Octets[4..], octet => Assert.Equal(0, octet));
    }

    /// <summary>Whether a reply is a header with this code, and an OPT of version 0 without options.</summary>
    public static void IsHeaderAndOpt(this Reply reply, string code)
    {
        Assert.Equal(23, reply.Octets.Length);
        Assert.Equal(code, reply.Header.Replace(" rd", ""));
        Assert.Equal("0000 0000 0000 0001",
            Convert.ToHexString(reply.Octets, 4, 8).Insert(12, " ").Insert(8, " ").Insert(4, " "));
        Assert.Equal([0, 0, (byte)RRType.OPT], reply.Octets[12..15]);
        Assert.Equal([0, 0, 0], [reply.Octets[18], .. reply.Octets[21..]]);
    }
}
