namespace Dns.Configuration.Declaring;

/// <summary>Takes what the check of a setting or section finds, at the place where it was written.</summary>
public sealed class SettingsProblems
{
    internal SettingsProblems(SettingNode node, SettingsBinder binder) => (Node, Binder) = (node, binder);

    /// <summary>What was written.</summary>
    public SettingNode Node { get; }

    /// <summary>Takes problems at any place.</summary>
    public SettingsBinder Binder { get; }

    /// <summary>All options, of other sections too.</summary>
    public ServerOptions Options => Binder.Options;

    /// <summary>Reports an error: the settings are not used.</summary>
    /// <param name="setting">A member of the section; its line is shown, or that of the section without it.</param>
    /// <param name="message">The path of the setting, what is wrong with it, and what is expected.</param>
    public void Report(string setting, string message) => Binder.Report(Node.Find(setting) ?? Node, message);

    /// <summary>Adds a warning about what is permitted and probably a mistake.</summary>
    /// <param name="setting">A member of the section; its line is shown, or that of the section without it.</param>
    /// <param name="message">The path of the setting, and why it is probably a mistake.</param>
    public void Warn(string setting, string message) =>
        Binder.Warn(Node.Find(setting) ?? Node, isNote: false, message);
}
