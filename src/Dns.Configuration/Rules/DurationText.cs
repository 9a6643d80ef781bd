namespace Dns.Configuration.Rules;

/// <summary>A time as text: seconds, or numbers with units (s, m, h, d, w) such as <c>1w2d</c>.</summary>
public static class DurationText
{
    private static readonly (int Seconds, string Unit)[] Units = [(604800, "w"), (86400, "d"), (3600, "h"), (60, "m")];

    /// <summary>The shortest way to write a time.</summary>
    public static string Format(TimeSpan time)
    {
        int seconds = (int)time.TotalSeconds;
        foreach ((int unit, string letter) in Units)
            if (seconds >= unit && seconds % unit == 0) return seconds / unit + letter;
        return seconds.ToString(CultureInfo.InvariantCulture);
    }

    internal static bool TryParse(string text, out TimeSpan time)
    {
        bool isTime = TtlText.TryParse(Encoding.UTF8.GetBytes(text), out uint seconds);
        time = TimeSpan.FromSeconds(seconds);
        return isTime;
    }
}
