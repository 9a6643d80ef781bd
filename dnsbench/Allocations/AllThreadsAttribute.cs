namespace Dns.Bench;

/// <summary>Counts the allocations of all threads, for benchmarks that use several.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class AllThreadsAttribute : Attribute;
