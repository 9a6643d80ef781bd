using System.Buffers;

namespace Dns.Telemetry.Otlp;

/// <summary>
/// Writes histograms as a request of OTLP (opentelemetry/proto/metrics/v1/metrics.proto): explicit bounds, counted
/// since the start of the process. Not thread-safe.
/// </summary>
/// <param name="resource">The resource: service and instance.</param>
public sealed class OtlpHistograms(
    IReadOnlyList<CountedHistogram> histograms, IEnumerable<KeyValuePair<string, object>> resource,
    DateTimeOffset started)
{
    private const int Cumulative = 2;

    private readonly byte[] _resource = Message(output =>
    {
        foreach ((string name, object value) in resource) WriteLabel(output, 1, name, value.ToString());
    });

    /// <summary>A request with all of them.</summary>
    public byte[] Write(DateTimeOffset now)
    {
        byte[] scope = Message(output =>
        {
            WriteOctets(output, 1, Message(name => WriteText(name, 1, MetricSet.Name)));
            foreach (CountedHistogram histogram in histograms) WriteOctets(output, 2, MetricOf(histogram, now));
        });
        byte[] ofResource = Message(output =>
        {
            WriteOctets(output, 1, _resource);
            WriteOctets(output, 2, scope);
        });
        return Message(output => WriteOctets(output, 1, ofResource));
    }

    private byte[] MetricOf(CountedHistogram histogram, DateTimeOffset now) => Message(output =>
    {
        WriteText(output, 1, histogram.Name);
        WriteText(output, 2, histogram.Description);
        WriteText(output, 3, histogram.Unit);
        WriteOctets(output, 9, Message(data =>
        {
            foreach (HistogramSeries series in histogram.Series())
                WriteOctets(data, 1, PointOf(histogram, series, now));
            ProtocolBuffer.WriteNumber(data, 2, Cumulative);
        }));
    });

    private byte[] PointOf(CountedHistogram histogram, HistogramSeries series, DateTimeOffset now)
    {
        HistogramReading reading = series.Read();
        return Message(output =>
        {
            ProtocolBuffer.WriteFixed64(output, 2, Nanoseconds(started));
            ProtocolBuffer.WriteFixed64(output, 3, Nanoseconds(now));
            ProtocolBuffer.WriteFixed64(output, 4, (ulong)reading.Classes.Sum());
            ProtocolBuffer.WriteFixed64(output, 5, BitConverter.DoubleToUInt64Bits(reading.Sum));
            ProtocolBuffer.WriteFixed64s(output, 6, Array.ConvertAll(reading.Classes, count => (ulong)count));
            ProtocolBuffer.WriteFixed64s(output, 7,
                Array.ConvertAll(histogram.Bounds, BitConverter.DoubleToUInt64Bits));
            foreach ((string name, object? value) in series.Labels) WriteLabel(output, 9, name, value?.ToString());
        });
    }

    private static void WriteLabel(IBufferWriter<byte> output, int field, string name, string? value) =>
        WriteOctets(output, field, Message(label =>
        {
            WriteText(label, 1, name);
            WriteOctets(label, 2, Message(any => WriteText(any, 1, value ?? "")));
        }));

    private static ulong Nanoseconds(DateTimeOffset time) =>
        (ulong)((time - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick);

    private static void WriteText(IBufferWriter<byte> output, int field, string text) =>
        WriteOctets(output, field, Encoding.UTF8.GetBytes(text));

    private static void WriteOctets(IBufferWriter<byte> output, int field, byte[] value) =>
        ProtocolBuffer.WriteOctets(output, field, value);

    private static byte[] Message(Action<IBufferWriter<byte>> write)
    {
        ArrayBufferWriter<byte> output = new();
        write(output);
        return output.WrittenSpan.ToArray();
    }
}
