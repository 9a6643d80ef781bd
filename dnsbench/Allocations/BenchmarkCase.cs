using System.Reflection;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>One benchmark method on an instance that is set up with the first value of each parameter.</summary>
internal sealed class BenchmarkCase
{
    private const int WarmUpCalls = 200;
    private const int Rounds = 5;
    private const double RoundMs = 15;
    private const int MaxCalls = 20_000;

    private readonly bool _allThreads;
    private readonly int? _calls;

    private BenchmarkCase(object instance, MethodInfo method)
    {
        Name = $"{method.DeclaringType!.Name}.{method.Name}";
        Operations = method.GetCustomAttribute<BenchmarkAttribute>()!.OperationsPerInvoke;
        _allThreads = method.DeclaringType.GetCustomAttribute<AllThreadsAttribute>() is not null;
        _calls = method.GetCustomAttribute<CallsOfRoundAttribute>()?.Count;
        Call = method.ReturnType == typeof(void)
            ? method.CreateDelegate<Action>(instance)
            : (Action)typeof(BenchmarkCase).GetMethod(nameof(Discard), BindingFlags.NonPublic | BindingFlags.Static)!
                .MakeGenericMethod(method.ReturnType).Invoke(null, [instance, method])!;
    }

    /// <summary>Class and method.</summary>
    internal string Name { get; }

    /// <summary>Calls the method.</summary>
    internal Action Call { get; }

    /// <summary>Operations of one call.</summary>
    internal int Operations { get; }

    /// <summary>All benchmarks of a class. The instance stays set up until <paramref name="cleanUp"/>.</summary>
    internal static BenchmarkCase[] Of(Type type, out Action cleanUp)
    {
        object instance = Activator.CreateInstance(type)!;
        foreach (PropertyInfo property in type.GetProperties())
            if (property.GetCustomAttribute<ParamsAttribute>() is { } parameter)
                property.SetValue(instance, parameter.Values[0]);
        MethodInfo[] methods = type.GetMethods();
        CallMarked<GlobalSetupAttribute>(instance, methods);
        cleanUp = () => CallMarked<GlobalCleanupAttribute>(instance, methods);
        return [.. methods.Where(method => method.GetCustomAttribute<BenchmarkAttribute>() is not null)
            .Select(method => new BenchmarkCase(instance, method))];
    }

    /// <summary>
    /// Bytes allocated for one operation: the minimum of several rounds, because the runtime's own occasional
    /// allocations do not count.
    /// </summary>
    internal double MeasureBytes()
    {
        for (int i = 0; i < WarmUpCalls; i++) Call();
        int calls = _calls ?? CallsOfTime();
        double least = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long before = Allocated();
            for (int i = 0; i < calls; i++) Call();
            least = Math.Min(least, (Allocated() - before) / (double)calls / Operations);
        }
        return Math.Round(least, 1);
    }

    private int CallsOfTime()
    {
        long began = System.Diagnostics.Stopwatch.GetTimestamp();
        int calls = 0;
        while (calls < MaxCalls && System.Diagnostics.Stopwatch.GetElapsedTime(began).TotalMilliseconds < RoundMs)
        {
            Call();
            calls++;
        }
        return calls;
    }

    private long Allocated() =>
        _allThreads ? GC.GetTotalAllocatedBytes(precise: true) : GC.GetAllocatedBytesForCurrentThread();

    private static Action Discard<T>(object instance, MethodInfo method)
    {
        Func<T> call = method.CreateDelegate<Func<T>>(instance);
        return () => call();
    }

    private static void CallMarked<T>(object instance, MethodInfo[] methods) where T : Attribute
    {
        foreach (MethodInfo method in methods)
            if (method.GetCustomAttribute<T>() is not null) method.Invoke(instance, []);
    }
}
