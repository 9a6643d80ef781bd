using System.Buffers;
using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <summary>
/// The instruments of a meter as text for Prometheus (exposition format 0.0.4), under their own names. One named
/// <c>…_bucket</c> begins a histogram; its <c>…_sum</c> and <c>…_count</c> follow. Thread-safe.
/// </summary>
public sealed class PrometheusText : IDisposable
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    private const string BucketSuffix = "_bucket";

    private readonly Lock _gate = new();
    private readonly MeterListener _listener = new();
    private readonly List<Instrument> _instruments = [];
    private readonly Dictionary<Instrument, StringBuilder> _samples = [];

    /// <summary>Listens to the instruments that the meter has or will have.</summary>
    public PrometheusText(Meter meter)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (!ReferenceEquals(instrument.Meter, meter)) return;
            lock (_gate)
            {
                _instruments.Add(instrument);
                _samples[instrument] = new StringBuilder();
            }
            listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, labels, _) =>
            Append(instrument, value.ToString(CultureInfo.InvariantCulture), labels));
        _listener.SetMeasurementEventCallback<double>((instrument, value, labels, _) =>
            Append(instrument, TextOf(value), labels));
        _listener.Start();
    }

    public void Write(IBufferWriter<byte> output)
    {
        lock (_gate)
        {
            foreach (StringBuilder samples in _samples.Values) samples.Clear();
            _listener.RecordObservableInstruments();
            string family = "";
            foreach (Instrument instrument in _instruments)
            {
                StringBuilder samples = _samples[instrument];
                if (samples.Length == 0) continue;
                if (family.Length == 0 || instrument.Name != family + "_sum" && instrument.Name != family + "_count")
                {
                    bool isHistogram = instrument.Name.EndsWith(BucketSuffix, StringComparison.Ordinal);
                    string name = isHistogram ? instrument.Name[..^BucketSuffix.Length] : instrument.Name;
                    family = isHistogram ? name : "";
                    string type =
                        isHistogram ? "histogram" : instrument.GetType().Name.Contains("Counter") ? "counter" : "gauge";
                    WriteText(output, $"# HELP {name} {EscapeHelp(instrument.Description)}\n# TYPE {name} {type}\n");
                }
                foreach (ReadOnlyMemory<char> chunk in samples.GetChunks()) WriteText(output, chunk.Span);
            }
        }
    }

    public void Dispose() => _listener.Dispose();

    internal static string TextOf(double value) =>
        double.IsPositiveInfinity(value) ? "+Inf" : double.IsNegativeInfinity(value) ? "-Inf"
            : value.ToString("0.############", CultureInfo.InvariantCulture);

    private void Append(Instrument instrument, string value, ReadOnlySpan<KeyValuePair<string, object?>> labels)
    {
        if (!_samples.TryGetValue(instrument, out StringBuilder? text)) return;
        text.Append(instrument.Name);
        char before = '{';
        foreach ((string label, object? content) in labels)
        {
            text.Append(before).Append(label).Append("=\"");
            AppendEscaped(text, content?.ToString() ?? "");
            text.Append('"');
            before = ',';
        }
        if (labels.Length > 0) text.Append('}');
        text.Append(' ').Append(value).Append('\n');
    }

    private static void AppendEscaped(StringBuilder text, string value)
    {
        foreach (char c in value)
            _ = c switch
            {
                '\\' => text.Append(@"\\"),
                '"' => text.Append("\\\""),
                '\n' => text.Append(@"\n"),
                _ => text.Append(c),
            };
    }

    private static string EscapeHelp(string? text) => (text ?? "").Replace(@"\", @"\\").Replace("\n", @"\n");

    private static void WriteText(IBufferWriter<byte> output, ReadOnlySpan<char> text) =>
        Encoding.UTF8.GetBytes(text, output);
}
