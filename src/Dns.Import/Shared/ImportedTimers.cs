namespace Dns.Import.Shared;

/// <summary>The times of secondaries: a minimum of REFRESH is MinRefresh, which is that of RETRY too.</summary>
internal static class ImportedTimers
{
    /// <summary>What other statements of times change.</summary>
    public const string OfSoa = "a secondary goes by REFRESH and RETRY of the SOA record, at least MinRefresh, at most "
            + "28 and 14 days",
        ExpiryOfSoa = "a secondary expires after EXPIRE of the SOA record, which is at least REFRESH and RETRY";

    /// <summary>MinRefresh of a secondary zone; null = not configured.</summary>
    /// <param name="retry">The minimum of RETRY there; null = not configured.</param>
    /// <param name="usual">The default of the minimum of REFRESH there.</param>
    public static string? MinRefreshOf(ImportedSettings settings, ConfigStatement? refresh, ConfigStatement? retry,
        string subject, string usual)
    {
        string? least = refresh is null || refresh.Value == usual ? null
            : settings.ReadTime(refresh, "MinRefresh", ServerOptions.MostMinRefresh);
        if (least is not null && refresh!.Value != retry?.Value) ReportRetry(settings.Diagnostics, refresh, subject);
        return least;
    }

    public static void ReportRetry(ImportDiagnostics diagnostics, ConfigStatement refresh, string subject) =>
        diagnostics.Change(refresh, subject, $"{refresh.Key}: MinRefresh is the minimum of RETRY too");
}
