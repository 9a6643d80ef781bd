namespace Dns.Bench;

/// <summary>
/// On a benchmark whose operations allocate more the later they are: a round has this many calls on every machine, not
/// those of a time.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class CallsOfRoundAttribute(int count) : Attribute
{
    internal int Count => count;
}
