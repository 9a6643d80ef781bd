namespace Dns.Management;

/// <summary>Why an operation was not done: what an interface makes a status code of.</summary>
internal enum OperationError : byte
{
    /// <summary>What it was given cannot be right, such as a path that is not whole.</summary>
    Invalid,

    /// <summary>There is nothing of that name.</summary>
    NotFound,

    /// <summary>The settings have not turned on what it is about.</summary>
    NotConfigured,

    /// <summary>Not yet: zones are being loaded.</summary>
    NotReady,

    /// <summary>The data or settings that it would bring into force have errors. What was in force before still is.</summary>
    Rejected,

    /// <summary>What has to outlive the server could not be written. Nothing has changed.</summary>
    NotKept,
}

/// <summary>An operation that was not done. The message is for the operator, a line or more.</summary>
internal sealed class OperationException(OperationError error, string message) : Exception(message)
{
    /// <summary>Why.</summary>
    public OperationError Error { get; } = error;
}
