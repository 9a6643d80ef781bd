namespace Dns.Configuration.Declaring;

/// <summary>Takes what the check of a section finds, at the place in the file where it was written.</summary>
public sealed class SettingsProblems
{
    private readonly SettingNode _section;
    private readonly SettingsBinder _binder;

    internal SettingsProblems(SettingNode section, SettingsBinder binder) => (_section, _binder) = (section, binder);

    /// <summary>All options, of other sections too.</summary>
    public ServerOptions Options => _binder.Options;

    /// <summary>Reports an error: the settings are not used.</summary>
    /// <param name="setting">A member of the section; its line is shown, or that of the section without it.</param>
    /// <param name="message">The path of the setting, what is wrong with it, and what is expected.</param>
    public void Report(string setting, string message) =>
        _binder.Report(_section.Find(setting) ?? _section, message);

    /// <summary>Adds a warning about what is permitted and probably a mistake.</summary>
    /// <param name="setting">A member of the section; its line is shown, or that of the section without it.</param>
    /// <param name="message">The path of the setting, and why it is probably a mistake.</param>
    public void Warn(string setting, string message) =>
        _binder.Warn(_section.Find(setting) ?? _section, isNote: false, message);
}
