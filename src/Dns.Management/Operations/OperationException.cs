namespace Dns.Management.Operations;

/// <summary>Why an operation failed, which an interface maps to a status code.</summary>
public enum OperationError : byte
{
    /// <summary>An argument is invalid, such as a relative path.</summary>
    Invalid,

    /// <summary>The named object does not exist.</summary>
    NotFound,

    /// <summary>The settings have disabled the feature.</summary>
    NotConfigured,

    /// <summary>Not yet: zones are being loaded.</summary>
    NotReady,

    /// <summary>The new data or settings have errors. The previous ones stay in force.</summary>
    Rejected,

    /// <summary>A persistent change could not be written. Nothing has changed.</summary>
    NotStored,
}

/// <summary>A failed operation. The message is for the operator, a line or more.</summary>
public sealed class OperationException(OperationError error, string message) : Exception(message)
{
    public OperationError Error { get; } = error;

    /// <summary>Does what writes to disk: <see cref="OperationError.NotStored"/> if that fails.</summary>
    public static T Storing<T>(Func<T> write)
    {
        try
        {
            return write();
        }
        catch (IOException error)
        {
            throw new OperationException(OperationError.NotStored, error.Message);
        }
    }
}
