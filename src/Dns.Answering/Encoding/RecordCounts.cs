namespace Dns.Answering.Encoding;

/// <summary>Record counts by section, without the OPT record.</summary>
internal struct RecordCounts
{
    internal int Answer;
    internal int Authority;
    internal int Additional;
}
