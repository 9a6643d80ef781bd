namespace Dns.Telemetry.Recording;

/// <summary>Where records of answers go. Used by one thread.</summary>
public interface IRecordSink : IDisposable
{
    /// <summary>What it is, for messages to people: <c>the query log /var/log/queries</c>.</summary>
    string Name { get; }

    /// <summary>Takes a record up; it may be kept back until <see cref="Flush"/>.</summary>
    /// <param name="record">The record; the caller's again on return.</param>
    /// <param name="at">When the query came.</param>
    /// <exception cref="IOException">It cannot be written. What was kept back is gone.</exception>
    void Write(AnswerRecord record, DateTimeOffset at, TimeSpan took);

    /// <summary>Flushes buffered records.</summary>
    /// <exception cref="IOException">It cannot be written. What was kept back is gone.</exception>
    void Flush();
}
