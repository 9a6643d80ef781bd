namespace Dns.Configuration.Options;

/// <summary>The control socket of a running server, section <c>Dns:Control</c>.</summary>
internal sealed class ControlOptions
{
    /// <summary>The word for a place that the server chooses.</summary>
    public const string Automatic = "auto";

    /// <summary>The control socket, a name of a pipe on Windows; null = there is none.</summary>
    public string? Socket { get; set; } = Automatic;
}
