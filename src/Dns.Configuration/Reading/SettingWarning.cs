namespace Dns.Configuration;

/// <summary>A warning about a permitted setting that is probably a mistake: one line.</summary>
/// <param name="Location">Where it was written.</param>
/// <param name="IsNote">Whether it is only worth knowing; else a start logs it as a warning.</param>
/// <param name="Message">What it is.</param>
internal readonly record struct SettingWarning(SettingLocation Location, bool IsNote, string Message)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Location}: {(IsNote ? "note" : "warning")}: {Message}";
}
