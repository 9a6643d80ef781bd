using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Dns.Telemetry.Recording;

/// <summary>The log of queries: a line for each, as JSON or as text.</summary>
public sealed class QueryLogSink(string path, QueryLogFormat format, TimeProvider clock) : IRecordSink
{
    // Names are plain already; what only matters in HTML, such as a plus sign, is left as it is.
    private static readonly JsonWriterOptions Readable =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly BufferedFile _file = new(path, clock) { FindFault = QueryLogFile.FindFault };

    public string Name => "the query log " + path;

    public void Write(AnswerRecord record, DateTimeOffset at, TimeSpan took)
    {
        ReadOnlySpan<byte> message = record.Message;
        IPEndPoint client = record.Client.ToEndPoint();
        AnswerText.ReadQuestion(message, out string name, out string type, out string @class);
        double microseconds = Math.Round(took.TotalMicroseconds, 1);
        string rcode = RcodeText.Format((Rcode)(MessageHeader.Flags(message) & MessageHeader.RcodeMask));
        string transport = record.Facts.Transport.Name;
        if (format == QueryLogFormat.Json)
        {
            using Utf8JsonWriter json = new(_file.Writer, Readable);
            json.WriteStartObject();
            json.WriteString("time", at.UtcDateTime);
            json.WriteString("client", client.Address.ToString());
            json.WriteNumber("port", client.Port);
            json.WriteString("transport", transport);
            json.WriteString("name", name);
            json.WriteString("type", type);
            json.WriteString("class", @class);
            json.WriteString("rcode", rcode);
            json.WriteString("flags", AnswerText.FlagsOf(message));
            json.WriteNumber("answers", MessageHeader.Count(message, 1));
            json.WriteNumber("octets", message.Length);
            json.WriteNumber("microseconds", microseconds);
            json.WriteBoolean("forwarded", record.Facts.Source == AnswerOrigin.Forwarded);
            json.WriteEndObject();
        }
        else
        {
            string line = string.Join(' ',
                at.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.ffffffZ", CultureInfo.InvariantCulture), client, transport,
                name, @class, type, rcode, AnswerText.FlagsOf(message), MessageHeader.Count(message, 1), message.Length,
                microseconds.ToString(CultureInfo.InvariantCulture));
            Encoding.UTF8.GetBytes(line, _file.Writer);
        }
        _file.Writer.Write("\n"u8);
        if (_file.IsFull) _file.Save();
    }

    public void Flush() => _file.Save();

    public void Dispose() => _file.Dispose();
}
