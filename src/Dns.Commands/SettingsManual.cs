namespace Dns.Commands;

/// <summary>dnsd.json(5): the settings, generated from their declarations.</summary>
internal static class SettingsManual
{
    public static string Text()
    {
        ManualText page = new ManualText("DNSD.JSON", 5)
            .Section("NAME").Paragraph("dnsd.json - settings of dnsd")
            .Section("DESCRIPTION")
            .Paragraph("JSON; comments and a comma behind the last element are allowed. Section Dns is the server's, "
                + "section Serilog configures its log. Relative paths are relative to the file. An unknown key is an "
                + "error; \"dnsd check\" lists all errors.")
            .Paragraph("An environment variable replaces one value (Dns__MaxUdpPayload=4096, "
                + "Dns__Listen__0=192.0.2.1:53), the command line replaces both (--Dns:MaxUdpPayload=4096). N is the "
                + "index of an element from 0, NAME a name of your own.")
            .Section("SETTINGS");
        AddSettings(page, DeclaredSettings.OfProgram.Members, DeclaredSettings.Root, []);
        return page.Section("EXAMPLE").Verbatim(ServiceSettings.Text.ReplaceLineEndings("\n").TrimEnd().Split('\n'))
            .Section("SEE ALSO").Paragraph("dnsd(8)")
            .ToString();
    }

    /// <param name="written">The keys so far: zones and directories share most of their settings.</param>
    private static void AddSettings(ManualText page, IEnumerable<Setting> members, string path, HashSet<string> written)
    {
        foreach (Setting member in members)
        {
            string key = path + ":" + member.Name;
            if (!written.Add(key)) continue;
            if (member is SettingsSection section) AddSettings(page, section.Members, key, written);
            if (member is not ValueSetting setting) continue;
            string value = $"Value: {setting.Value.Words.Replace("`", "", StringComparison.Ordinal)}.";
            string given = setting.HasDefault ? $" Default: {setting.Default?.ToJsonString() ?? "none"}." : "";
            page.Term(key, $"{setting.Words} {value}{given}");
            foreach (SettingsSection kind in setting.Value.Objects)
                AddSettings(page, kind.Members, $"{key}:{kind.Name}", written);
        }
    }
}
