using System.Buffers;

namespace Dns.Telemetry.Recording;

/// <summary>dnstap into a file. A stream has one beginning: an earlier file is renamed, with the time.</summary>
public sealed class DnstapFileSink(string path, DnstapMessage message, TimeProvider clock) : IRecordSink
{
    private readonly ArrayBufferWriter<byte> _data = new(2048);
    private readonly BufferedFile _file =
        new(path, clock) { Rotates = true, Beginning = FrameStream.Control(FrameStream.Start, hasContent: true) };

    public string Name => "dnstap file " + path;

    public void Write(AnswerRecord record, DateTimeOffset at, TimeSpan took)
    {
        _data.ResetWrittenCount();
        message.Write(_data, record, at, took);
        FrameStream.WriteData(_file.Writer, _data.WrittenSpan);
        if (_file.IsFull) _file.Save();
    }

    public void Flush() => _file.Save();

    public void Dispose() => _file.End(FrameStream.Control(FrameStream.Stop, hasContent: false));
}
