namespace Dns.Configuration.Reading;

/// <summary>A warning about a permitted setting that is probably a mistake: one line.</summary>
/// <param name="IsNote">Whether it is only worth knowing; else a start logs it as a warning.</param>
public readonly record struct SettingWarning(SettingLocation Location, bool IsNote, string Message)
{
    /// <summary>The line of a report.</summary>
    public override string ToString() => $"{Location}: {(IsNote ? "note" : "warning")}: {Message}";
}
