namespace Dns.Features;

/// <summary>Writes answers somewhere.</summary>
public abstract class RecordingFeature(IReadOnlyList<NamedRecorder> recorders) : Feature
{
    public override IEnumerable<NamedRecorder> Recorders => recorders;

    public override Task StartAsync(CancellationToken cancellation) =>
        Task.WhenAll(recorders.Select(one => one.Recorder.StartAsync(cancellation)));

    public override Task StopAsync(CancellationToken cancellation) =>
        Task.WhenAll(recorders.Select(one => one.Recorder.StopAsync(cancellation)));

    public override void Dispose()
    {
        foreach (NamedRecorder one in recorders) one.Recorder.Dispose();
    }
}
