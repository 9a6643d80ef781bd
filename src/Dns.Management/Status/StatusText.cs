namespace Dns.Management.Status;

/// <summary>Formats figures and states for the status page and the command line.</summary>
public static class StatusText
{
    public const string None = "–";

    /// <summary>A count or a rate: <c>12</c>, <c>0.4</c>, <c>28.9 k</c>, <c>1.25 M</c>.</summary>
    public static string Number(double number) => number switch
    {
        >= 1e9 => Format(number / 1e9, "0.00", " G"),
        >= 1e6 => Format(number / 1e6, "0.00", " M"),
        >= 1e4 => Format(number / 1e3, "0.0", " k"),
        >= 100 => Format(number, "0", ""),
        _ => Format(number, "0.#", ""),
    };

    /// <summary>A time: <c>0.5 µs</c>, <c>12 ms</c>, <c>1.5 s</c>.</summary>
    public static string Seconds(double? seconds) => seconds switch
    {
        null => None,
        >= 1 => Format(seconds.Value, "0.##", " s"),
        >= 1e-3 => Format(seconds.Value * 1e3, "0.##", " ms"),
        _ => Format(seconds.Value * 1e6, "0.#", " µs"),
    };

    /// <summary>A share: <c>0.4 %</c>, <c>81 %</c>.</summary>
    public static string Percent(double? share) => share switch
    {
        null => None,
        0 => "0 %",
        < 0.001 => "< 0.1 %",
        < 0.1 => Format(share.Value * 100, "0.0", " %"),
        _ => Format(share.Value * 100, "0", " %"),
    };

    public static string Ago(TimeSpan time) => time switch
    {
        { TotalDays: >= 2 } => $"{(int)time.TotalDays} d",
        { TotalHours: >= 2 } => $"{(int)time.TotalHours} h",
        { TotalMinutes: >= 2 } => $"{(int)time.TotalMinutes} min",
        _ => $"{Math.Max(0, (int)time.TotalSeconds)} s",
    };

    public static string Of(UpstreamState state) => state switch
    {
        UpstreamState.Up => "up",
        UpstreamState.Down => "down",
        _ => "this server",
    };

    /// <summary>That an upstream is down, for how long, and why unless it is silent.</summary>
    public static string Down(UpstreamStatus upstream) =>
        $"down, for {TextTable.Duration(upstream.DownFor)}" + (upstream.Fault is null ? "" : $": {upstream.Reason}");

    /// <summary>The receive loop of UDP, as the setting has it.</summary>
    public static string Of(UdpListenerKind listener) => listener.ToString().ToLowerInvariant();

    private static string Format(double number, string format, string unit) =>
        number.ToString(format, CultureInfo.InvariantCulture) + unit;
}
