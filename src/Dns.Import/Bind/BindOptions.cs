namespace Dns.Import.Bind;

/// <summary>Translates the statements of named.conf's options that have an equivalent here.</summary>
internal sealed class BindOptions(ImportedSettings settings, BindAddressLists lists)
{
    private static readonly TimeSpan DefaultStale = TimeSpan.FromDays(1);
    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;
    private bool _logsQueries, _hasQueryLog;

    /// <summary>Translates a statement; false = it has no equivalent.</summary>
    public bool TryTranslate(ConfigStatement option)
    {
        switch (option.Key)
        {
            case "server-id" when option.Value is not ("hostname"
                or "none"): settings.SetText(option, "Identity", option.Value); break;
            case "version" when option.Value is not "none": settings.SetText(option, "Version", option.Value); break;
            case "server-id" when option.Value == "hostname":
                _diagnostics.Change(option, "", "server-id hostname: Dns:Identity takes a text",
                    ImportLimit.OfImporter);
                break;
            case "server-id" or "version": break;
            case "max-udp-size": settings.SetNumber(option, "MaxUdpPayload", 512, 65535); break;
            case "tcp-clients": settings.SetNumber(option, "Tcp:MaxConnections", 1, 1_000_000); break;
            case "tcp-idle-timeout": settings.SetScaled(option, "Tcp:IdleTimeoutSeconds", 1, 6553, 10); break;
            case "tcp-initial-timeout": settings.SetScaled(option, "Tcp:ReceiveTimeoutSeconds", 1, 3600, 10); break;
            case "recursive-clients": settings.SetNumber(option, "Recursion:MaxInFlight", 1, 1_000_000); break;
            case "minimal-any": settings.SetFlag(option, "MinimalAny"); break;
            case "rate-limit": BindRateLimit.Translate(option, settings, lists); break;
            case "cookie-secret": settings.AddSecret(option); break;
            case "answer-cookie": settings.SetFlag(option, "Cookies:Enabled"); break;
            case "empty-zones-enable": settings.SetFlag(option, "Recursion:LocalNames"); break;
            case "max-records-per-type": SetLimit(option, "MaxRecordsPerType"); break;
            case "max-types-per-name": SetLimit(option, "MaxTypesPerName"); break;
            case "rrset-order" when option.Members is [{ Words: ["order", var order] }]:
                settings.Set(option, "RotateRRsets", order is "cyclic" or "random");
                break;
            case "transfers-in": settings.SetNumber(option, "Transfer:MaxIncoming", 1, 10_000); break;
            case "transfers-out": settings.SetNumber(option, "Transfer:MaxOutgoing", 1, 10_000); break;
            case "max-transfer-time-in": settings.SetScaled(option, "Transfer:MaxSeconds", 1, 604_800, 1, 60); break;
            case "min-refresh-time":
                settings.SetTime(option, "MinRefresh", ServerOptions.MostMinRefresh);
                ImportedTimers.ReportRetry(_diagnostics, option, "options");
                break;
            case "querylog": _logsQueries = option.Value is "yes" or "true" or "1"; break;
            default: return TryTranslateCache(option);
        }
        return true;
    }

    private bool TryTranslateCache(ConfigStatement option)
    {
        switch (option.Key)
        {
            case "max-cache-size" when option.Value?.EndsWith('%') == true: SetMemoryShare(option); break;
            case "max-cache-size" when option.Value is "default": break;
            case "max-cache-size" when option.Value is "unlimited":
                _diagnostics.Change(option, "", "max-cache-size unlimited: Dns:Cache:MaxBytes is always a limit");
                break;
            case "max-cache-size": settings.SetSize(option, "Cache:MaxBytes"); break;
            case "max-cache-ttl": settings.SetTime(option, "Cache:MaxTtl", TimeSpan.FromDays(7)); break;
            case "min-cache-ttl": settings.SetTime(option, "Cache:MinTtl", TimeSpan.FromDays(1)); break;
            case "max-ncache-ttl": settings.SetTime(option, "Cache:MaxNegativeTtl", TimeSpan.FromDays(1)); break;
            case "stale-answer-enable" when option.Value is "yes" or "true" or "1":
                settings.TrySet(option, "Cache:ServeStale", DurationText.Format(DefaultStale));
                break;
            case "stale-answer-enable": settings.Set(option, "Cache:ServeStale", "0"); break;
            case "max-stale-ttl" when settings.Values.GetValueOrDefault("Cache:ServeStale") is not "0":
                settings.SetTime(option, "Cache:ServeStale", TimeSpan.FromDays(7));
                break;
            case "max-stale-ttl": break;
            case "stale-answer-client-timeout" when option.Value is not ("off" or "disabled"):
                settings.SetNumber(option, "Recursion:AnswerWithinMs", 100, 4900);
                break;
            case "stale-answer-client-timeout": break;
            case "prefetch": settings.Set(option, "Cache:Prefetch", option.Value is not "0"); break;
            default: return false;
        }
        return true;
    }

    /// <summary>A part of the memory: more than this server allows becomes the most that it does.</summary>
    private void SetMemoryShare(ConfigStatement option)
    {
        const int most = ServerMemory.MaxCachePercent;
        bool isPart =
            int.TryParse(option.Value![..^1], NumberStyles.None, CultureInfo.InvariantCulture, out int percent);
        if (!isPart || percent is 0 or > most)
        {
            _diagnostics.Change(option, "",
                $"max-cache-size {option.Value}: Dns:Cache:MaxBytes is at most {most}% of the memory");
            percent = most;
        }
        settings.Set(option, "Cache:MaxBytes", $"{percent}%");
    }

    /// <summary>A limit on the records of a name: 0 is none there.</summary>
    private void SetLimit(ConfigStatement option, string path)
    {
        if (option.Value is "0") settings.Set(option, path, ZoneLimits.Most);
        else settings.SetNumber(option, path, 1, ZoneLimits.Most);
    }

    /// <summary>The statistics channel is the admin port here: one only, and off loopback with a token.</summary>
    public void TranslateStatistics(ConfigStatement channels)
    {
        foreach (ConfigStatement channel in channels.Members.Where(member => member.Key == "inet"))
        {
            string port = channel.Words.Contains("port") ? channel.Following("port") ?? "" : "80";
            bool isAddress = IPAddress.TryParse(channel.Value, out IPAddress? address);
            if (!isAddress || !IPAddress.IsLoopback(address!) || !ushort.TryParse(port, out ushort number) ||
                number == 0)
                _diagnostics.Change(channel, "statistics-channels",
                    "the admin port, Dns:Admin:Listen, needs Dns:Admin:Token unless its address is a loopback one",
                        ImportLimit.OfImporter);
            else if (!settings.TrySet(channel, "Admin:Listen", new IPEndPoint(address!, number).ToString()))
                _diagnostics.Change(channel, "statistics-channels", "there is one admin port");
            else
                _diagnostics.Remark(channel, "statistics-channels",
                    "it is the admin port: metrics at /metrics, in the form of Prometheus");
        }
    }

    /// <summary>Translates the log of queries; the log of the server is its own.</summary>
    public void TranslateLogging(IReadOnlyList<ConfigStatement> statements, string directory)
    {
        foreach (ConfigStatement logging in statements.Where(statement => statement.Key == "logging"))
        {
            ConfigStatement? queries =
                logging.Members.LastOrDefault(member => member is { Key: "category", Value: "queries" });
            foreach (ConfigStatement channel in queries?.Members ?? [])
                if (logging.Members.LastOrDefault(member => member.Key == "channel"
                    && member.Value == channel.Key)?.Find("file") is { Value: { } file })
                    SetQueryLog(channel, Path.GetFullPath(file, directory));
            bool hasOther = logging.Members.Any(member => member.Key == "category" && member.Value != "queries");
            if (hasOther) _diagnostics.Remark(logging, "logging", "the log is configured in the section Serilog");
        }
        if (_logsQueries && !_hasQueryLog &&
            statements.FirstOrDefault(statement => statement.Key == "options") is { } options)
            _diagnostics.Change(options, "querylog",
                "no file is named, so queries are not logged: set Dns:QueryLog:File", ImportLimit.OfImporter);
    }

    private void SetQueryLog(ConfigStatement statement, string file)
    {
        _hasQueryLog = true;
        // Lines of both in one file would be of no use to any reader, and the other server may still run.
        file = Path.ChangeExtension(file, ".dnsd" + Path.GetExtension(file));
        settings.Set(statement, "QueryLog:File", file);
        settings.Set(statement, "QueryLog:Format", "text");
        _diagnostics.Remark(statement, "category queries",
            $"lines of the query log have another form, so they go to {Path.GetFileName(file)}, and there are no "
                + "limits of size or number of files");
    }
}
