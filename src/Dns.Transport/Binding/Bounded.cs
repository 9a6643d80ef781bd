namespace Dns.Transport;

/// <summary>Waiting that ends.</summary>
internal static class Bounded
{
    /// <summary>Waits for all of the tasks, none of which fails, or until the time is over.</summary>
    public static async Task WhenAll(IEnumerable<Task> tasks, TimeSpan atMost)
    {
        Task all = Task.WhenAll(tasks);
        await Task.WhenAny(all, Task.Delay(atMost)).ConfigureAwait(false);
    }
}
