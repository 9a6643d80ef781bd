using Serilog;

namespace Dns.Configuration.SettingTypes;

/// <summary>
/// The arguments of the log's sinks, and what the simple ones may be: Serilog would end in an exception that names no
/// setting, or leave the sink out.
/// </summary>
public static class SinkArguments
{
    private static readonly string[] Flags = ["true", "false"];

    public static readonly string[] OfConsole =
    [
        "outputTemplate", "formatter", "restrictedToMinimumLevel", "levelSwitch", "standardErrorFromLevel", "theme",
        "applyThemeToRedirectedOutput", "formatProvider", "syncRoot",
    ];

    public static readonly string[] OfFile =
    [
        "path", "outputTemplate", "formatter", "restrictedToMinimumLevel", "levelSwitch", "rollingInterval",
        "rollOnFileSizeLimit",
        "fileSizeLimitBytes", "retainedFileCountLimit", "retainedFileTimeLimit", "buffered", "shared",
        "flushToDiskInterval", "encoding", "hooks", "formatProvider",
    ];

    public static void Check(SettingNode argument, string path, SettingsBinder binder)
    {
        if (argument.Kind is SettingKind.Null or SettingKind.Section or SettingKind.List ||
            argument.Value is not { } value) return;
        switch (argument.Name.ToLowerInvariant())
        {
            case "rollinginterval":
                CheckName(argument, path, Enum.GetNames<RollingInterval>(), StringComparison.Ordinal, binder);
                break;
            case "restrictedtominimumlevel" or "standarderrorfromlevel":
                CheckName(argument, path, SerilogSetting.Levels, StringComparison.Ordinal, binder);
                break;
            case "buffered" or "shared" or "rollonfilesizelimit" or "applythemetoredirectedoutput":
                CheckName(argument, path, Flags, StringComparison.OrdinalIgnoreCase, binder);
                break;
            case "filesizelimitbytes" when !IsNumber(value, long.MaxValue):
                binder.Expect(argument, path, "a number of bytes from 1");
                break;
            case "retainedfilecountlimit" when !IsNumber(value, int.MaxValue):
                binder.Expect(argument, path, "a number of files from 1");
                break;
            case "retainedfiletimelimit" or "flushtodiskinterval"
                when !TimeSpan.TryParse(value, CultureInfo.InvariantCulture, out _):
                binder.Expect(argument, path, "a time as DAYS.HH:MM:SS");
                break;
        }
    }

    private static void CheckName(
        SettingNode argument, string path, string[] names, StringComparison comparison, SettingsBinder binder)
    {
        if (names.Any(name => name.Equals(argument.Value, comparison))) return;
        if (NearestName.Find(argument.Value!, names) is { } near)
            binder.Report(argument, $"{path} is \"{argument.Value}\": did you mean \"{near}\"?");
        else
            binder.Expect(argument, path, "one of " + string.Join(", ", names));
    }

    private static bool IsNumber(string value, long max) =>
        long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) &&
            number >= 1 && number <= max;
}
