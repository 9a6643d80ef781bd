namespace Dns.Configuration.Rules;

/// <summary>A time: seconds, or numbers with units (s, m, h, d, w) such as <c>90s</c> and <c>1w2d</c>.</summary>
internal sealed class DurationRule(string name, TimeSpan most, Action<ServerOptions, TimeSpan> set) : SettingRule(name)
{
    private static readonly (int Seconds, string Unit)[] Units = [(604800, "w"), (86400, "d"), (3600, "h"), (60, "m")];

    public TimeSpan Most { get; } = most;

    public override void Apply(SettingNode node, string path, SettingsBinder binder)
    {
        if (TryRead(node, Most, out TimeSpan time)) set(binder.Options, time);
        else binder.Expect(node, path, ExpectedUpTo(Most));
    }

    public static string ExpectedUpTo(TimeSpan most) =>
        $"a time up to {Format(most)}: seconds, or a number with s, m, h, d or w such as \"3h\"";

    public static bool TryRead(SettingNode node, TimeSpan most, out TimeSpan time)
    {
        bool isQuantity = node.Kind is SettingKind.Number or SettingKind.Text or SettingKind.Untyped;
        uint seconds = 0;
        bool isTime = isQuantity && TtlText.TryParse(Encoding.UTF8.GetBytes(node.Value!), out seconds) &&
            seconds <= most.TotalSeconds;
        time = TimeSpan.FromSeconds(isTime ? seconds : 0);
        return isTime;
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
