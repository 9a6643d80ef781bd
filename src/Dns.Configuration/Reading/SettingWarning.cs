namespace Dns.Configuration.Reading;

/// <summary>A warning about a permitted setting that is probably a mistake: one line.</summary>
/// <param name="IsNote">Whether it is only worth knowing; else a start logs it as a warning.</param>
internal readonly record struct SettingWarning(SettingLocation Location, bool IsNote, string Message)
{
    public override string ToString() => $"{Location}: {(IsNote ? "note" : "warning")}: {Message}";
}
