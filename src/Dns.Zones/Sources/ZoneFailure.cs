namespace Dns.Zones.Sources;

/// <summary>
/// Why the latest data of a zone is unusable, or the zone has expired. Parts that load zones have kinds of their own.
/// </summary>
public abstract record ZoneFailure
{
    /// <summary>The reason for an operator.</summary>
    public abstract string Text { get; }

    /// <inheritdoc/>
    public sealed override string ToString() => Text;
}

/// <summary>The file of the zone cannot be read, or has an error.</summary>
public sealed record FileFailure(ZoneDiagnostic Diagnostic) : ZoneFailure
{
    /// <inheritdoc/>
    public override string Text => Diagnostic.ToString();
}

/// <summary>The zone cannot be signed.</summary>
public sealed record UnsignedFailure(string Reason) : ZoneFailure
{
    /// <inheritdoc/>
    public override string Text => Reason;
}

/// <summary>A defect of the server ended the loading.</summary>
public sealed record CrashFailure(string Message) : ZoneFailure
{
    /// <inheritdoc/>
    public override string Text => Message;
}

/// <summary>A reason that the source of the zone words, such as a database.</summary>
public sealed record SourceFailure(string Reason) : ZoneFailure
{
    /// <inheritdoc/>
    public override string Text => Reason;
}
