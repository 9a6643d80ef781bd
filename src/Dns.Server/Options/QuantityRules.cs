using System.Globalization;
using System.Text;
using Dns.Protocol;

namespace Dns.Server;

/// <summary>A time: seconds, or a number with units such as <c>90s</c>, <c>15m</c>, <c>3h</c>, <c>1d</c>, <c>1w2d</c>.</summary>
internal sealed class DurationRule(string name, TimeSpan most, Action<ServerOptions, TimeSpan> set) : SettingRule(name)
{
    private static readonly (int Seconds, string Unit)[] Units = [(604800, "w"), (86400, "d"), (3600, "h"), (60, "m")];

    /// <summary>The longest time.</summary>
    public TimeSpan Most { get; } = most;

    /// <inheritdoc/>
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isQuantity = node.Kind is SettingKind.Number or SettingKind.Text or SettingKind.Untyped;
        if (isQuantity && TtlText.TryParse(Encoding.UTF8.GetBytes(node.Value!), out uint seconds) && seconds <= Most.TotalSeconds)
            set(binder.Options, TimeSpan.FromSeconds(seconds));
        else
            binder.Expect(node, path, $"a time up to {Format(Most)}: seconds, or a number with s, m, h, d or w such as \"3h\"");
    }

    /// <summary>The shortest way to write a time.</summary>
    public static string Format(TimeSpan time)
    {
        int seconds = (int)time.TotalSeconds;
        foreach ((int unit, string letter) in Units)
            if (seconds >= unit && seconds % unit == 0) return seconds / unit + letter;
        return seconds.ToString(CultureInfo.InvariantCulture);
    }
}

/// <summary>An amount of memory: bytes, or a number with <c>K</c>, <c>M</c> or <c>G</c> (1024, its square, its cube).</summary>
internal sealed class SizeRule(string name, long least, long most, Action<ServerOptions, long> set) : SettingRule(name)
{
    private static readonly (long Bytes, char Unit)[] Units = [(1L << 30, 'G'), (1L << 20, 'M'), (1L << 10, 'K')];

    /// <inheritdoc/>
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        bool isQuantity = node.Kind is SettingKind.Number or SettingKind.Text or SettingKind.Untyped;
        if (isQuantity && TryParse(node.Value!, out long bytes) && bytes >= least && bytes <= most) set(binder.Options, bytes);
        else binder.Expect(node, path, $"an amount of memory from {Format(least)} to {Format(most)}, such as \"256M\"");
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

/// <summary>The path of a file, relative to the settings file, or null.</summary>
internal sealed class PathRule(string name, Action<ServerOptions, string?> set) : SettingRule(name)
{
    /// <inheritdoc/>
    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (node.Kind == SettingKind.Null) set(binder.Options, null);
        else if (node.Kind is SettingKind.Text or SettingKind.Untyped && node.Value is { Length: > 0 } file && !file.Contains('\0'))
            set(binder.Options, binder.Resolve(file));
        else binder.Expect(node, path, "the path of a file, or null");
    }
}
