using Dns.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Integration.Tests;

public class ControlLoopTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task An_exception_of_accept_is_reported_and_the_next_client_is_taken()
    {
        ReportedExceptions reported = new();
        FailingListener listener = new(failures: 3);
        await using ListenerSet none = ListenerSet.Bind(new TransportOptions(), out _);
        using ControlServer server = new(
            new ControlOptions { Socket = "test" }, none, null!, TimeProvider.System, reported,
            NullLogger<ControlServer>.Instance, _ => listener);
        await server.StartAsync(CancellationToken.None);
        await listener.Taken.WaitAsync(Patience);
        await server.StopAsync(CancellationToken.None).WaitAsync(Patience);
        Assert.Equal(3, reported.All.Count);
        Assert.All(reported.All, one => Assert.Equal(ManagementLoops.ControlAccept, one.Loop));
    }

    private sealed class FailingListener(int failures) : IControlListener
    {
        private readonly TaskCompletionSource _taken = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _calls;

        public Task Taken => _taken.Task;

        public Task<Stream> AcceptAsync(CancellationToken cancellation)
        {
            if (++_calls <= failures) throw new InvalidOperationException("Thrown by a test.");
            if (_calls > failures + 1) return new TaskCompletionSource<Stream>().Task.WaitAsync(cancellation);
            _taken.SetResult();
            return Task.FromResult<Stream>(new MemoryStream());
        }

        public void Dispose()
        {
        }
    }
}
