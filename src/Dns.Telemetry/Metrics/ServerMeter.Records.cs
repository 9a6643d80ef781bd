namespace Dns.Telemetry.Metrics;

/// <content>What is recorded.</content>
public sealed partial class ServerMeter
{
    private void AddRecords()
    {
        Counter("dnsd_records_written_total", "Records of responses written to the query log or to dnstap.", () =>
            _sources.Recorders.Select(one => Of(one.Recorder.Written, "sink", one.Name)));
        Counter("dnsd_records_lost_total", "Records of responses lost: the queue was full or the sink failed.", () =>
            _sources.Recorders.Select(one => Of(one.Recorder.Lost, "sink", one.Name)));
    }
}
