namespace Dns.Features.Dnstap;

/// <summary>Answers as dnstap, section <c>Dns:Dnstap</c>.</summary>
/// <param name="Socket">The Unix domain socket of a program that takes them; null = none.</param>
/// <param name="File">The file that they are written to; null = none.</param>
/// <param name="Sample">The share of answers that is taken, 0 to 1.</param>
public sealed record DnstapOptions(string? Socket = null, string? File = null, double Sample = 1)
{
    /// <summary>The section.</summary>
    public static SettingsSection<DnstapOptions> Section { get; } =
        new SettingsSection<DnstapOptions>("Dnstap",
            "Responses in the dnstap format, to a Unix domain socket or a file.", new())
        .Add("Socket", SocketPath.Value(isOfControl: false), o => o.Socket, (o, v) => o with { Socket = v },
            "Unix domain socket of a dnstap collector, a path of at most 107 octets. null = none.", "/run/dnstap.sock")
        .Add("File", FilePath, o => o.File, (o, v) => o with { File = v },
            "File for dnstap. An existing capture is kept as FILE.yyyymmddThhmmssZ; a file of another kind is not touched. null = none.", "/var/log/dnsd/dnsd.dnstap")
        .Add("Sample", Fraction, o => o.Sample, (o, v) => o with { Sample = v },
            "The share of responses that is recorded.", 0.1);
}
