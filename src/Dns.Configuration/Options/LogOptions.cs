namespace Dns.Configuration.Options;

/// <summary>What a line of the log looks like.</summary>
internal enum LogFormat : byte
{
    Text,
    Json,
}

/// <summary>The log of the server beside section <c>Serilog</c>, section <c>Dns:Log</c>.</summary>
internal sealed class LogOptions
{
    /// <summary>What a line looks like, of the console and of each sink without a format of its own.</summary>
    public LogFormat Format { get; set; } = LogFormat.Text;
}
