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
    private string _leftText = "";
    private string _rightText = "";

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
        _leftText = text.Append('.').ToString();
        _rightText = Pair switch
        {
            "equal" => _leftText,
            "case" =>
                string.Concat(_leftText.Select((letter, i) => i % 3 == 0 ? char.ToUpperInvariant(letter) : letter)),
            // The last letter: what a comparison from the left finds last.
            _ => _leftText[..^2] + 'q' + ".",
        };
        _left = [.. DomainName.Parse(_leftText).Octets];
        _right = [.. DomainName.Parse(_rightText).Octets];
        _destination = new byte[_left.Length];
    }

    /// <summary>Sixteen octets at a time.</summary>
    [Benchmark]
    public bool EqualsIgnoreCase() => WireName.EqualsIgnoreCase(_left, _right);

    /// <summary>Baseline: octet by octet.</summary>
    [Benchmark]
    public bool EqualsByOctet()
    {
        if (_left.Length != _right.Length) return false;
        for (int i = 0; i < _left.Length; i++)
            if (char.ToLowerInvariant((char)_left[i]) != char.ToLowerInvariant((char)_right[i])) return false;
        return true;
    }

    /// <summary>Baseline: strings, ordinal, ignoring case.</summary>
    [Benchmark(Baseline = true)]
    public bool EqualsOfStrings() => string.Equals(_leftText, _rightText, StringComparison.OrdinalIgnoreCase);

    /// <summary>Baseline: both strings lowered, then compared.</summary>
    [Benchmark]
    public bool EqualsOfLoweredStrings() => _leftText.ToLowerInvariant() == _rightText.ToLowerInvariant();

    /// <summary>Sixteen octets at a time.</summary>
    [Benchmark]
    public void ToLower() => WireName.ToLower(_right, _destination);

    /// <summary>Baseline: a new string.</summary>
    [Benchmark]
    public string ToLowerOfString() => _rightText.ToLowerInvariant();
}
