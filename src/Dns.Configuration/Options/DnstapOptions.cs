namespace Dns.Configuration.Options;

/// <summary>Answers as dnstap, section <c>Dns:Dnstap</c>.</summary>
internal sealed class DnstapOptions
{
    /// <summary>The Unix domain socket of a program that takes them; null = none.</summary>
    public string? Socket { get; set; }

    /// <summary>The file that they are written to; null = none.</summary>
    public string? File { get; set; }

    /// <summary>The share of answers that is taken, 0 to 1.</summary>
    public double Sample { get; set; } = 1;
}
