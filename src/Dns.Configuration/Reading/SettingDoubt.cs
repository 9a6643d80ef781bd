namespace Dns.Configuration;

/// <summary>A warning about a permitted setting that is probably a mistake: one line.</summary>
/// <param name="Place">Where it was written.</param>
/// <param name="IsNote">Whether it is only worth knowing; else a start logs it as a warning.</param>
/// <param name="Message">What it is.</param>
internal readonly record struct SettingDoubt(SettingLocation Place, bool IsNote, string Message)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Place}: {(IsNote ? "note" : "warning")}: {Message}";
}
