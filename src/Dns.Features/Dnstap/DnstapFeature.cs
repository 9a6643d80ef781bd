namespace Dns.Features.Dnstap;

/// <summary>Answers as dnstap, to a socket and to a file.</summary>
public sealed class DnstapFeature(IReadOnlyList<NamedRecorder> recorders) : RecordingFeature(recorders), IFeature
{
    public static IEnumerable<Setting> Settings => [DnstapOptions.Section];

    public static Feature Create(ServerParts parts)
    {
        DnstapOptions options = parts.Options.Of(DnstapOptions.Section);
        DnstapMessage Message() => new(parts.Options.Identity, "dnsd " + ProgramVersion.Text);
        NamedRecorder Of(string name, IRecordSink sink) => NamedRecorder.Of(
            name, sink, options.Sample, AnswerFilter.None, parts.Clock, parts.Loggers, parts.Exceptions);
        List<NamedRecorder> recorders = [];
        if (options.Socket is { } socket)
            recorders.Add(Of("dnstap_socket", new DnstapSocketSink(socket, Message(), parts.Clock)));
        if (options.File is { } file)
            recorders.Add(Of("dnstap_file", new DnstapFileSink(file, Message(), parts.Clock)));
        return new DnstapFeature(recorders);
    }

    public static IEnumerable<WrittenFile> FindFiles(ServerOptions options) =>
        options.Of(DnstapOptions.Section).File is { } file ? [new("Dns:Dnstap:File", file)] : [];
}
