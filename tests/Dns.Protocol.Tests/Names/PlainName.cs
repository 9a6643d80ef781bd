namespace Dns.Protocol.Tests;

/// <summary>A simple implementation of names, label by label, the oracle of the fast code.</summary>
internal static class PlainName
{
    public static byte ToLower(byte octet) => octet is >= (byte)'A' and <= (byte)'Z' ? (byte)(octet + 32) : octet;

    public static byte[] ToLower(byte[] name) => [.. name.Select(ToLower)];

    public static bool EqualsIgnoreCase(byte[] left, byte[] right) => ToLower(left).SequenceEqual(ToLower(right));

    /// <summary>The labels of exactly one uncompressed name, or null.</summary>
    public static List<byte[]>? Labels(byte[] octets)
    {
        List<byte[]> labels = [];
        int position = 0;
        while (position < octets.Length && octets[position] is > 0 and <= 63)
        {
            if (position + 1 + octets[position] > octets.Length) return null;
            labels.Add(octets[(position + 1)..(position + 1 + octets[position])]);
            position += 1 + octets[position];
        }
        bool isWhole = position == octets.Length - 1 && octets[position] == 0 && octets.Length <= 255;
        return isWhole ? labels : null;
    }

    public static bool IsAtOrBelow(byte[] name, byte[] ancestor)
    {
        List<byte[]> a = Labels(ToLower(name))!, b = Labels(ToLower(ancestor))!;
        return a.Count >= b.Count &&
            a.Skip(a.Count - b.Count).Zip(b).All(pair => pair.First.SequenceEqual(pair.Second));
    }
}
