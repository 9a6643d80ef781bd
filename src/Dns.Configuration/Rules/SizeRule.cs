namespace Dns.Configuration.Rules;

/// <summary>
/// An amount of memory: bytes, or a number with <c>K</c>, <c>M</c> or <c>G</c> (1024, its square, its cube), or with
/// <c>%</c> of the memory that the server may have.
/// </summary>
/// <param name="octets">What it counts octets of, such as <c>a transfer</c>; null = memory, which may be in %.</param>
internal sealed class SizeRule(string name, long least, long most, Action<ServerOptions, long> set,
    string? octets = null)
    : SettingRule(name)
{
    public long Least { get; } = least;

    public long Most { get; } = most;

    private static readonly (long Bytes, char Unit)[] Units = [(1L << 30, 'G'), (1L << 20, 'M'), (1L << 10, 'K')];

    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isQuantity = node.Kind is SettingKind.Number or SettingKind.Text or SettingKind.Untyped;
        bool isPart = octets is not null && node.Value is [.., '%'];
        string range = $"from {Format(Least)} to {Format(Most)}, such as";
        if (isQuantity && !isPart && TryParse(node.Value!, out long bytes) && bytes >= Least && bytes <= Most)
            set(binder.Options, bytes);
        else if (octets is not null) binder.Expect(node, path, $"octets of {octets} {range} \"256M\"");
        else binder.Expect(node, path, $"an amount of memory {range} \"256M\" or \"25%\"");
    }

    /// <summary>The shortest way to write an amount.</summary>
    public static string Format(long bytes)
    {
        foreach ((long unit, char letter) in Units)
            if (bytes >= unit && bytes % unit == 0) return bytes / unit + letter.ToString();
        return bytes.ToString(CultureInfo.InvariantCulture);
    }

    private static bool TryParse(ReadOnlySpan<char> text, out long bytes)
    {
        if (text.EndsWith('%'))
        {
            bool isPart = int.TryParse(text[..^1], NumberStyles.None, CultureInfo.InvariantCulture, out int percent) &&
                percent <= 100;
            bytes = isPart ? ServerMemory.Bytes / 100 * percent : 0;
            return isPart;
        }
        long factor = 1;
        foreach ((long unit, char letter) in Units)
            if (text.Length > 1 && char.ToUpperInvariant(text[^1]) == letter) factor = unit;
        if (factor > 1) text = text[..^1];
        if (!long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out bytes)) return false;
        bool isSmall = bytes <= long.MaxValue / factor;
        bytes *= isSmall ? factor : 0;
        return isSmall;
    }
}
