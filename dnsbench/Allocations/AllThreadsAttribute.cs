namespace Dns.Bench;

/// <summary>The benchmarks of the class work on several threads: allocations of all of them count.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class AllThreadsAttribute : Attribute;
