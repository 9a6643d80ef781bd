using System.Text;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>
/// Phase 3: comparing and lower-casing names that are equal, equal but for case, and different.
/// </summary>
public class NameComparing
{
    private byte[] _left = [];
    private byte[] _right = [];
    private byte[] _destination = [];

    /// <summary>Length in octets.</summary>
    [Params(17, 33, 104)]
    public int Octets { get; set; }

    /// <summary>How the two differ.</summary>
    [Params("case", "equal", "different")]
    public string Pair { get; set; } = "";

    /// <summary>Makes the pair.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        StringBuilder text = new();
        // The wire form is one octet longer than the text with its final dot.
        while (text.Length < Octets - 2) text.Append(text.Length % 10 == 9 ? '.' : (char)('a' + text.Length % 16));
        text[^1] = 'x';
        string left = text.Append('.').ToString();
        string right = Pair switch
        {
            "equal" => left,
            "case" =>
                string.Concat(left.Select((letter, i) => i % 3 == 0 ? char.ToUpperInvariant(letter) : letter)),
            // The last letter: what a comparison from the left finds last.
            _ => left[..^2] + 'q' + ".",
        };
        _left = [.. DomainName.Parse(left).Octets];
        _right = [.. DomainName.Parse(right).Octets];
        _destination = new byte[_left.Length];
    }

    /// <summary>Sixteen octets at a time.</summary>
    [Benchmark]
    public bool EqualsIgnoreCase() => WireName.EqualsIgnoreCase(_left, _right);

    /// <summary>Sixteen octets at a time.</summary>
    [Benchmark]
    public void ToLower() => WireName.ToLower(_right, _destination);
}
