namespace Dns.Answering;

/// <summary>Numbers of records behind the question, section by section, the OPT record not counted.</summary>
internal struct RecordCounts
{
    internal int Answer;
    internal int Authority;
    internal int Additional;
}
