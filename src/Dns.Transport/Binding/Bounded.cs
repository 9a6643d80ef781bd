namespace Dns.Transport.Binding;

/// <summary>Waits with a timeout.</summary>
internal static class Bounded
{
    /// <summary>Waits until all tasks complete, none of which fails, or until the timeout.</summary>
    public static async Task WhenAll(IEnumerable<Task> tasks, TimeSpan atMost)
    {
        Task all = Task.WhenAll(tasks);
        await Task.WhenAny(all, Task.Delay(atMost)).ConfigureAwait(false);
    }
}
